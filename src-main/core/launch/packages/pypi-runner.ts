import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import type { PlannedArgument, PlannedInstall } from '../plan/launch-plan'
import { findNamed, missingItems, runFacts } from './named-package'
import { byRunner, customRegistry, type RunnerInput, type RunnerOutput } from './runner'

/** Matches a Python version specifier such as `>=1.2`. */
const SPECIFIER = /^[=<>!~]/

/** Runs a Python package through `uvx`. */
export function runPypi({ pkg, runtime, own }: RunnerInput): RunnerOutput {
  const [program = pkg.identifier] = pkg.identifier.split('[')
  const index = customRegistry(pkg, 'pypi')
  const indexArgs = index === undefined ? [] : ['--default-index', index]
  const named = findNamed(pkg, runtime)
  const naming = { pkg, runtime, own, named, spec: specOf(pkg, program), program }
  return {
    command: 'uvx',
    args: [...byRunner(...indexArgs), ...runtime, ...missingItems(naming), ...own],
    install: named === undefined ? installOf(pkg, indexArgs, extrasIn(runtime)) : undefined,
    ...runFacts('uvx', naming, index),
  }
}

/** uvx doesn't accept `name==version` or `name[extra]@version` as a name. */
function specOf({ identifier, version }: Package, program: string): string[] {
  if (identifier !== program || SPECIFIER.test(version ?? ''))
    return ['--from', requirementOf(identifier, version), program]
  return [version === undefined ? program : `${program}@${version}`]
}

/**
 * The environment is cached by its contents, so running its Python fills the start's cache. Python compiles and caches what the start
 * imports; compiling everything ahead takes longer and delays other downloads.
 */
function installOf(
  { identifier, version }: Package,
  indexArgs: readonly string[],
  extras: readonly string[],
): PlannedInstall | undefined {
  if (version === 'latest') return undefined
  const from = ['--from', requirementOf(identifier, version)]
  return {
    command: 'uvx',
    args: [...indexArgs, ...extras, ...from, 'python', '-c', '0'],
  }
}

/** Options that decide what is installed, with their values. */
const EXTRAS = new Set(['--with', '--python', '-p', '--prerelease', '--resolution'])

function extrasIn(runtime: readonly PlannedArgument[]): string[] {
  return runtime.flatMap(({ value }, index) => {
    const next = runtime[index + 1]?.value
    return EXTRAS.has(value) && next !== undefined ? [value, next] : []
  })
}

function requirementOf(identifier: string, version: string | undefined): string {
  if (version === undefined || version === 'latest') return identifier
  return SPECIFIER.test(version) ? `${identifier}${version}` : `${identifier}==${version}`
}

/** Options of `uv run` that select the environment, and mean the same to `uv sync`. */
const PASSED = new Set(['--frozen', '--locked', '--no-dev', '--offline'])
const FOLDER_OPTIONS = new Set(['--directory', '--project'])

/** Whether a command is uv itself. */
export function isUv(command: string): boolean {
  return /^uv(\.exe)?$/i.test(command)
}

/**
 * Creates the environment of a bundle that is a uv project. The first handshake then waits for no download, and the download sees no
 * secret. Undefined if `uv run` has options that can't be translated.
 */
export function uvProjectInstall(
  { identifier, isUvProject = false, workingFolder }: Package,
  own: readonly PlannedArgument[],
): PlannedInstall | undefined {
  if (!isUvProject || workingFolder === undefined || !isUv(identifier)) return undefined
  const [verb, ...args] = own.map(({ value }) => value)
  const options = verb === 'run' ? passedOptions(args, workingFolder) : undefined
  // Keeps what the start adds to the environment.
  const sync = ['sync', '--inexact', '--directory', workingFolder]
  return options && { command: identifier, args: [...sync, ...options] }
}

/** Returns the options before the program; undefined if one is unknown, or another folder is meant. */
function passedOptions(args: readonly string[], folder: string): string[] | undefined {
  const passed: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-')) return passed
    if (PASSED.has(arg)) passed.push(arg)
    else if (FOLDER_OPTIONS.has(arg) && args[index + 1] === folder) index += 1
    else if (![...FOLDER_OPTIONS].some((option) => arg === `${option}=${folder}`)) return undefined
  }
  return undefined
}
