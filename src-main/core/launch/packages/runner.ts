import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import type { CommandPlan, PlannedArgument, PlannedVariable } from '../plan/launch-plan'

/** The resolved inputs that a runner combines with the package. */
export type RunnerInput = {
  readonly pkg: Package
  readonly runtime: readonly PlannedArgument[]
  readonly own: readonly PlannedArgument[]
  readonly env: readonly PlannedVariable[]
}

/** A package's command line and its warnings. */
export type RunnerOutput = Pick<
  CommandPlan,
  'command' | 'args' | 'container' | 'packageVersion' | 'install' | 'warnings'
>

/** Returns argv items that the runner itself needs; a text after a flag is the flag's value. */
export function byRunner(...values: string[]): PlannedArgument[] {
  return values.map((value, index) => ({
    ...plain(value, { kind: 'runner', label: 'Runtime' }),
    joined: index > 0 && !value.startsWith('-'),
  }))
}

/** Returns the argv item that names the package. */
export function packageItem(value: string): PlannedArgument {
  return { ...plain(value, { kind: 'package', label: 'Package' }), joined: false }
}

/** Returns a text that is the same for the process, the user and the approval. */
export function plain(
  value: string,
  origin: PlannedArgument['origin'],
): Omit<PlannedArgument, 'joined'> {
  return { value, shown: value, fingerprint: value, secret: false, origin }
}

/** Host names of a public registry, under the domain with its name. */
const PUBLIC_HOSTS = new Set(['', 'api', 'hub', 'index', 'registry', 'registry-1', 'www'])

/** Returns the base address of a private registry; undefined for the public one. */
export function customRegistry(pkg: Package, publicName: string): string | undefined {
  const address = pkg.registryBaseUrl
  if (address === undefined || !URL.canParse(address)) return undefined
  const { protocol, hostname } = new URL(address)
  const labels = hostname.split('.')
  const isPublic = labels.at(-2) === publicName && PUBLIC_HOSTS.has(labels.slice(0, -2).join('.'))
  return !/^https?:$/.test(protocol) || isPublic ? undefined : address
}

/** Returns a package's name with its version. */
export function withVersion({ identifier, version }: Package, separator: string): string {
  return version === undefined ? identifier : `${identifier}${separator}${version}`
}

/** Warns if the package comes from a registry other than the public one. */
export function registryWarnings(address: string | undefined): string[] {
  return address === undefined
    ? []
    : [`The package comes from ${address}, as set in the entry, not from the public registry.`]
}

/** Warns if the version doesn't name exactly one release. */
export function pinWarnings({ registryType, version = '' }: Package): string[] {
  // npm treats a version with fewer than three numbers as a range.
  const exact = registryType === 'npm' ? /^v?\d+\.\d+\.\d+([-+][\w.+-]*)?$/ : /^v?\d[\w.+!-]*$/
  return exact.test(version)
    ? []
    : ['The version isn’t pinned, so each start may run different code.']
}

/** Warns if the entry suggests another runner than the one in use. */
export function hintWarnings({ runtimeHint }: Package, runner: string): string[] {
  return runtimeHint === undefined || runtimeHint === runner
    ? []
    : [`The entry suggests "${runtimeHint}", but Patchbay starts this package with ${runner}.`]
}
