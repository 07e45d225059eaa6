import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { runnerOptionWarnings } from '../plan/code-deciding'
import type { PlannedArgument } from '../plan/launch-plan'
import {
  hintWarnings,
  packageItem,
  pinWarnings,
  registryWarnings,
  type RunnerInput,
  type RunnerOutput,
} from './runner'

/** Options with the package after an equals sign. */
const OPTION = /^(?:--package|--from)=/

/** A package that the runtime arguments name themselves, so Patchbay doesn't add it. */
export type NamedPackage = {
  /** Index in the runtime arguments. */
  readonly at: number
  /** Version after `@` or `==`; empty if there is none. */
  readonly version: string
  /** Whether the package is the value of an option that says what to install, so that a program must follow. */
  readonly isOption: boolean
}

const NAMING = new Set(['-p', '--package', '--from'])

/** Finds the first runtime argument that is the package, with or without extras and version. */
export function findNamed(
  pkg: Package,
  runtime: readonly PlannedArgument[],
): NamedPackage | undefined {
  const isOption = (at: number) =>
    OPTION.test(runtime[at]?.value ?? '') || NAMING.has(runtime[at - 1]?.value ?? '')
  const at = runtime.findIndex(
    ({ value }, index) =>
      namesPackage(value, pkg) ||
      (pkg.registryType === 'pypi' &&
        isOption(index) &&
        namesPackage(pythonName(value), {
          ...pkg,
          identifier: pythonName(pkg.identifier),
        })),
  )
  const value = runtime[at]?.value
  if (value === undefined) return undefined
  // The first character may be the "@" of a scope.
  const version = /.(?:@|==)([^@/]*)$/.exec(value.replace(OPTION, ''))?.[1] ?? ''
  return { at, version, isOption: isOption(at) }
}

/** Whether a text names the package, with or without extras and version. */
function namesPackage(text: string, { identifier }: Package): boolean {
  const spec = text.replace(OPTION, '')
  const name = identifier.replace(/\[.*$/, '')
  const rest = /^(\[[^\]]*\])?((@|==)[\w.+!^~<>=*-]*)?$/
  return spec.startsWith(name) && rest.test(spec.slice(name.length))
}

/** Python treats `a_b`, `A-B` and `a.b` as one name. */
function pythonName(spec: string): string {
  const [name = ''] = spec.replace(OPTION, '').split(/[[=@]/)
  return name.toLowerCase().replace(/[_.-]+/g, '-')
}

/** Returns the runtime arguments for the runner itself: those after the package belong to the package. */
export function beforePackage(
  runtime: readonly PlannedArgument[],
  named: NamedPackage | undefined,
): readonly PlannedArgument[] {
  return named === undefined ? runtime : runtime.slice(0, named.at + 1)
}

/** An npx or uvx command line, whose runtime arguments may name the package. */
type NamingLine = Pick<RunnerInput, 'pkg' | 'runtime' | 'own'> & {
  readonly named: NamedPackage | undefined
  /** The package's spelling if they don't. */
  readonly spec: readonly string[]
  /** The program with the package's own name. */
  readonly program: string
}

/**
 * Returns what must follow the runtime arguments: the package, unless they name it. A lone `--from thing` says what to install but not what
 * to run, so the program with the package's name is added.
 */
export function missingItems({
  named,
  runtime,
  own,
  spec,
  program,
}: NamingLine): PlannedArgument[] {
  if (named === undefined) return spec.map(packageItem)
  const isLast = named.at === runtime.length - 1
  const isProgramNamed = own[0]?.value.startsWith('-') === false
  return named.isOption && isLast && !isProgramNamed ? [packageItem(program)] : []
}

/** Returns the version that runs and the warnings; `registry` is a private one. */
export function runFacts(
  runner: 'npx' | 'uvx',
  { pkg, runtime, named }: NamingLine,
  registry: string | undefined,
): Pick<RunnerOutput, 'packageVersion' | 'warnings'> {
  const version = named === undefined ? pkg.version : named.version
  return {
    packageVersion: version === '' ? undefined : version,
    warnings: [
      ...pinWarnings({ ...pkg, version }),
      ...hintWarnings(pkg, runner),
      ...registryWarnings(registry),
      ...runnerOptionWarnings(runner, beforePackage(runtime, named), (value) =>
        namesPackage(value, pkg),
      ),
    ],
  }
}
