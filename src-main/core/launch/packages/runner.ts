import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import type { CommandPlan, PlannedArgument, PlannedVariable } from '../plan/launch-plan'

/** The resolved inputs that a runner arranges around the package. */
export type RunnerInput = {
  readonly pkg: Package
  readonly runtime: readonly PlannedArgument[]
  readonly own: readonly PlannedArgument[]
  readonly env: readonly PlannedVariable[]
}

/** A package's command line with what the user should know of it. */
export type RunnerOutput = Pick<
  CommandPlan,
  'command' | 'args' | 'container' | 'packageVersion' | 'install' | 'warnings'
>

/** Argv items that the runner itself asks for; a text after a flag belongs to it. */
export function byRunner(...values: string[]): PlannedArgument[] {
  return values.map((value, index) => ({
    ...plain(value, { kind: 'runner', label: 'Runtime' }),
    joined: index > 0 && !value.startsWith('-'),
  }))
}

/** The argv item that names the package. */
export function packageItem(value: string): PlannedArgument {
  return { ...plain(value, { kind: 'package', label: 'Package' }), joined: false }
}

/** A text that is the same for the process, the user and the approval. */
export function plain(
  value: string,
  origin: PlannedArgument['origin'],
): Omit<PlannedArgument, 'joined'> {
  return { value, shown: value, fingerprint: value, secret: false, origin }
}

/** The hosts of a public registry, under the domain that has its name. */
const PUBLIC_HOSTS = new Set(['', 'api', 'hub', 'index', 'registry', 'registry-1', 'www'])

/** The base address of a private registry; the public one goes without saying. */
export function customRegistry(pkg: Package, publicName: string): string | undefined {
  const address = pkg.registryBaseUrl
  if (address === undefined || !URL.canParse(address)) return undefined
  const { protocol, hostname } = new URL(address)
  const labels = hostname.split('.')
  const isPublic = labels.at(-2) === publicName && PUBLIC_HOSTS.has(labels.slice(0, -2).join('.'))
  return !/^https?:$/.test(protocol) || isPublic ? undefined : address
}

/** A package with its version behind its name. */
export function withVersion({ identifier, version }: Package, separator: string): string {
  return version === undefined ? identifier : `${identifier}${separator}${version}`
}

/** Says so when a package comes from elsewhere than the public registry. */
export function registryWarnings(address: string | undefined): string[] {
  return address === undefined
    ? []
    : [`The package comes from ${address}, as set in the entry, not from the public registry.`]
}

/** Says so when the version does not name one release only. */
export function pinWarnings({ registryType, version = '' }: Package): string[] {
  // To npm a version of fewer than three numbers is a range.
  const exact = registryType === 'npm' ? /^v?\d+\.\d+\.\d+([-+][\w.+-]*)?$/ : /^v?\d[\w.+!-]*$/
  return exact.test(version)
    ? []
    : ['The version isn’t pinned, so each start may run different code.']
}

/** Says so when the entry suggests another runner than the one that starts its package. */
export function hintWarnings({ runtimeHint }: Package, runner: string): string[] {
  return runtimeHint === undefined || runtimeHint === runner
    ? []
    : [`The entry suggests "${runtimeHint}", but Patchbay starts this package with ${runner}.`]
}
