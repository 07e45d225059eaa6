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
