import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import type { PlannedArgument, PlannedInstall } from '../plan/launch-plan'

/** Options of `uv run` that say which environment is made, and mean the same to `uv sync`. */
const PASSED = new Set(['--frozen', '--locked', '--no-dev', '--offline'])
const PLACES = new Set(['--directory', '--project'])

/** Whether a command is uv's own program. */
export function isUv(command: string): boolean {
  return /^uv(\.exe)?$/i.test(command)
}

/**
 * Makes the environment of a bundle that is a project of uv, so that its first handshake waits for no
 * download and the download sees no secret. Undefined where `uv run` is given what this would not know.
 */
export function uvProjectInstall(
  { identifier, isUvProject = false, workingFolder }: Package,
  own: readonly PlannedArgument[],
): PlannedInstall | undefined {
  if (!isUvProject || workingFolder === undefined || !isUv(identifier)) return undefined
  const [verb, ...args] = own.map(({ value }) => value)
  const options = verb === 'run' ? passedOptions(args, workingFolder) : undefined
  // What the start adds to the environment beside is kept.
  const sync = ['sync', '--inexact', '--directory', workingFolder]
  return options && { command: identifier, args: [...sync, ...options] }
}

/** The options before the program; undefined where one is not known, or another folder is meant. */
function passedOptions(args: readonly string[], folder: string): string[] | undefined {
  const passed: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-')) return passed
    if (PASSED.has(arg)) passed.push(arg)
    else if (PLACES.has(arg) && args[index + 1] === folder) index += 1
    else if (![...PLACES].some((place) => arg === `${place}=${folder}`)) return undefined
  }
  return undefined
}
