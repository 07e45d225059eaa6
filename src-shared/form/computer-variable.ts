import type { FormField } from './form-field'

/**
 * Whether a field can take its value from a variable of this computer, which each start reads: every secret, and every
 * single value that is typed, except options of the runner, which decide what runs.
 */
export function canReadVariable({ secret, control, repeated, target }: FormField): boolean {
  const isTyped = control !== 'switch' && control !== 'choice' && !repeated
  return secret || (isTyped && target.place !== 'runtimeArguments')
}
