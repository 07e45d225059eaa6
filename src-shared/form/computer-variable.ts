import type { FormField } from './form-field'

/**
 * Whether a field can take its value from an environment variable of this computer, which each start reads: every secret, and every single
 * typed value, except runner options, which decide what runs.
 */
export function canReadVariable({ secret, control, repeated, target }: FormField): boolean {
  const isTyped = control !== 'switch' && control !== 'choice' && !repeated
  return secret || (isTyped && target.place !== 'runtimeArguments')
}
