import type { Package } from '../domain/server-json/server-json'
import type { FormField } from './form-field'

/** Key of the field for a user's runner options; no input of an entry has it. */
export const RUNNER_OPTIONS = 'runner-options'

const RUNNERS: ReadonlyMap<string, { readonly command: string; readonly before: string }> = new Map(
  [
    ['npm', { command: 'npx', before: 'the package' }],
    ['pypi', { command: 'uvx', before: 'the package' }],
    ['oci', { command: 'docker run', before: 'the image' }],
  ],
)

/** Returns the field for additional options of a runner's command line; undefined if no runner reads options. */
export function runnerOptionsField({
  registryType,
  runtimeArguments,
}: Package): FormField | undefined {
  const runner = RUNNERS.get(registryType)
  if (runner === undefined) return undefined
  return {
    key: RUNNER_OPTIONS,
    label: `${runner.command} options`,
    description: `Passed to ${runner.command} before ${runner.before}. Each entry is one argument.`,
    control: 'text',
    format: 'string',
    choices: [],
    required: false,
    secret: false,
    repeated: true,
    // After all declared arguments, at an unused index.
    target: { place: 'runtimeArguments', index: runtimeArguments.length },
  }
}
