import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import type { PlannedArgument, PlannedInstall } from '../plan/launch-plan'
import { findNamed, missingItems, runFacts } from './named-package'
import { byRunner, customRegistry, type RunnerInput, type RunnerOutput } from './runner'

/** `>=1.2`: what Python calls a version specifier. */
const SPECIFIER = /^[=<>!~]/

/** A Python package through `uvx`. */
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

/** To uvx `name==version` is no name, and `name[extra]@version` neither. */
function specOf({ identifier, version }: Package, program: string): string[] {
  if (identifier !== program || SPECIFIER.test(version ?? ''))
    return ['--from', requirementOf(identifier, version), program]
  return [version === undefined ? program : `${program}@${version}`]
}

/**
 * The environment is cached by what it holds, so running its Python fills the one of the start. Python compiles what the start
 * imports, and keeps it: compiling all ahead takes longer than that, and holds up other downloads.
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
