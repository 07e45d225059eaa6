import { AppError } from '../../../src-shared/domain/app-error'
import type { Package } from '../../../src-shared/domain/server-json'
import type { PlannedArgument, PlannedCommand, PlannedVariable } from './launch-plan'

/** The resolved inputs that a runner arranges around the package. */
export type RunnerInput = {
  readonly pkg: Package
  readonly runtime: readonly PlannedArgument[]
  readonly own: readonly PlannedArgument[]
  readonly env: readonly PlannedVariable[]
}

/** A package's command line with what the person should know of it. */
export type RunnerOutput = {
  readonly command: string
  readonly args: readonly PlannedArgument[]
  readonly packageVersion?: string | undefined
  readonly install?: PlannedCommand | undefined
  readonly warnings: readonly string[]
}

type Runner = { readonly identifier: RegExp; readonly run: (input: RunnerInput) => RunnerOutput }

const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: { identifier: /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i, run: runNpm },
  pypi: { identifier: /^[a-z0-9][\w.-]*(\[[\w.,-]+\])?$/i, run: runPypi },
  oci: { identifier: /^[a-z0-9][\w./:@-]*$/i, run: runOci },
  nuget: { identifier: /^[a-z0-9_][\w.-]*$/i, run: runNuget },
  cargo: { identifier: /^[a-z0-9_][\w-]*$/i, run: runCargo },
}
/** No colon and no slash: behind an "@" they would name another package, an address or a folder. */
const VERSION = /^[\w.+!^~<>=*-]+$/

/** Arranges command and argv for the package's kind; UNSUPPORTED_PACKAGE names what stands in the way. */
export function runPackage(input: RunnerInput): RunnerOutput {
  const { pkg } = input
  const runner = Object.hasOwn(RUNNERS, pkg.registryType) ? RUNNERS[pkg.registryType] : undefined
  if (runner === undefined) {
    throw unsupported(
      `Patchbay cannot start packages of the kind "${pkg.registryType}".`,
      'Choose another package of this server, or follow its website.',
    )
  }
  if (pkg.transport.type !== 'stdio') {
    throw unsupported(
      `This package answers over ${pkg.transport.type}; Patchbay starts packages that speak over stdio.`,
      'Choose another package of this server.',
    )
  }
  if (!runner.identifier.test(pkg.identifier) || !VERSION.test(pkg.version ?? '0')) {
    throw unsupported(
      `"${pkg.identifier}${pkg.version === undefined ? '' : `@${pkg.version}`}" is no name of a ${pkg.registryType} package.`,
      'Check identifier and version in the server.json.',
    )
  }
  return runner.run(input)
}

function unsupported(message: string, hint: string): AppError {
  return new AppError('UNSUPPORTED_PACKAGE', message, { hint })
}

function runNpm({ pkg, runtime, own }: RunnerInput): RunnerOutput {
  const spec = withVersion(pkg, '@')
  const registry = customRegistry(pkg, 'npmjs')
  const registryArgs = registry === undefined ? [] : ['--registry', registry]
  const saysYes = runtime.some(({ value }) => value === '-y' || value === '--yes')
  const named = namesPackage(runtime, pkg)
  return {
    command: 'npx',
    args: [
      ...(saysYes ? [] : byRunner('-y')),
      ...byRunner(...registryArgs),
      ...runtime,
      ...(named ? [] : [packageItem(spec)]),
      ...own,
    ],
    packageVersion: pkg.version,
    install: named
      ? undefined
      : { command: 'npx', args: ['-y', ...registryArgs, '-p', spec, 'node', '-e', '0'] },
    warnings: [...pinWarnings(pkg), ...hintWarnings(pkg, 'npx')],
  }
}

function runPypi({ pkg, runtime, own }: RunnerInput): RunnerOutput {
  const [name = pkg.identifier, extra] = pkg.identifier.split('[')
  const index = customRegistry(pkg, 'pypi')
  const spec =
    extra === undefined ? [withVersion(pkg, '@')] : ['--from', withVersion(pkg, '=='), name]
  return {
    command: 'uvx',
    args: [
      ...byRunner(...(index === undefined ? [] : ['--default-index', index])),
      ...runtime,
      ...(namesPackage(runtime, pkg) ? [] : spec.map(packageItem)),
      ...own,
    ],
    packageVersion: pkg.version,
    warnings: [...pinWarnings(pkg), ...hintWarnings(pkg, 'uvx')],
  }
}

function runNuget({ pkg, runtime, own }: RunnerInput): RunnerOutput {
  const source = customRegistry(pkg, 'nuget')
  return {
    command: 'dnx',
    args: [
      ...runtime,
      packageItem(withVersion(pkg, '@')),
      ...byRunner(...(source === undefined ? [] : ['--source', source]), '--yes'),
      ...(own.length === 0 ? [] : byRunner('--')),
      ...own,
    ],
    packageVersion: pkg.version,
    warnings: [...pinWarnings(pkg), ...hintWarnings(pkg, 'dnx')],
  }
}

function runCargo({ pkg, runtime, own }: RunnerInput): RunnerOutput {
  return {
    command: pkg.identifier,
    args: [...runtime, ...own],
    packageVersion: pkg.version,
    warnings: [
      `Patchbay runs the program "${pkg.identifier}" that is installed on this machine; it does not install crates.`,
    ],
  }
}

function runOci({ pkg, runtime, own, env }: RunnerInput): RunnerOutput {
  const image = imageOf(pkg)
  const { options, trailing } = splitAtImage(runtime, image)
  const has = (...names: string[]) => options.some(({ value }) => names.includes(value))
  const forwarded = new Set(
    options.filter((_, index) => options[index - 1]?.value === '-e').map(({ value }) => value),
  )
  return {
    command: 'docker',
    args: [
      ...byRunner('run'),
      ...(has('-i', '--interactive', '-it') ? [] : byRunner('-i')),
      ...(has('--rm') ? [] : byRunner('--rm')),
      ...options,
      ...env
        .filter(({ name }) => !forwarded.has(name))
        .flatMap(({ name, origin }) => [
          ...byRunner('-e'),
          { ...plain(name, origin), joined: true },
        ]),
      packageItem(image),
      ...trailing,
      ...own,
    ],
    packageVersion: /(?:@|:)([^:/@]+(?::[0-9a-f]+)?)$/.exec(image)?.[1],
    install: { command: 'docker', args: ['pull', image] },
    warnings: [...imageWarnings(image), ...hintWarnings(pkg, 'docker')],
  }
}

/** Some publishers spell the whole `docker run … IMAGE …`: what stands around run and image counts. */
function splitAtImage(
  runtime: readonly PlannedArgument[],
  image: string,
): { options: PlannedArgument[]; trailing: PlannedArgument[] } {
  const options = runtime[0]?.value === 'run' ? runtime.slice(1) : [...runtime]
  const bare = bareImage(image)
  const at = options.findIndex(({ value }) => bareImage(value) === bare)
  return at < 0
    ? { options, trailing: [] }
    : { options: options.slice(0, at), trailing: options.slice(at + 1) }
}

function bareImage(reference: string): string {
  return reference
    .replace(/^(index\.)?docker\.io\//, '')
    .replace(/@sha256:.*$/, '')
    .replace(/:[^:/]*$/, '')
}

function imageOf(pkg: Package): string {
  const host = customRegistry(pkg, 'docker')?.replace(/^https?:\/\/|\/+$/g, '')
  const [first = ''] = pkg.identifier.split('/')
  const hasHost = /[.:]/.test(first) && pkg.identifier.includes('/')
  const image = host === undefined || hasHost ? pkg.identifier : `${host}/${pkg.identifier}`
  return isTagged(image) || pkg.version === undefined ? image : `${image}:${pkg.version}`
}

function isTagged(image: string): boolean {
  return image.includes('@sha256:') || /:[^:/]+$/.test(image)
}

function withVersion({ identifier, version }: Package, separator: string): string {
  return version === undefined ? identifier : `${identifier}${separator}${version}`
}

/** The base address of a private registry; the public one goes without saying. */
function customRegistry(pkg: Package, publicName: string): string | undefined {
  const address = pkg.registryBaseUrl
  if (address === undefined || !URL.canParse(address)) return undefined
  const { protocol, hostname } = new URL(address)
  if (!/^https?:$/.test(protocol) || hostname.split('.').includes(publicName)) return undefined
  return address
}

/** True where the runtime arguments already name the package, with or without extras and version. */
function namesPackage(runtime: readonly PlannedArgument[], pkg: Package): boolean {
  const name = pkg.identifier.replace(/\[.*$/, '')
  return runtime.some(
    ({ value }) =>
      value.startsWith(name) && /^(\[[^\]]*\])?((@|==).*)?$/.test(value.slice(name.length)),
  )
}

function byRunner(...values: string[]): PlannedArgument[] {
  return values.map((value, index) => ({
    ...plain(value, { kind: 'runner', label: 'Runner' }),
    joined: index > 0 && !value.startsWith('-'),
  }))
}

function packageItem(value: string): PlannedArgument {
  return { ...plain(value, { kind: 'package', label: 'Package' }), joined: false }
}

function plain(value: string, origin: PlannedArgument['origin']): Omit<PlannedArgument, 'joined'> {
  return { value, shown: value, fingerprint: value, secret: false, origin }
}

function pinWarnings({ version }: Package): string[] {
  return version !== undefined && /^v?\d+(\.\d+)*[\w.+!-]*$/.test(version)
    ? []
    : ['The version is not pinned: every start may run other code than the one before.']
}

function imageWarnings(image: string): string[] {
  const isPinned = isTagged(image) && !image.endsWith(':latest')
  return isPinned
    ? []
    : ['The image is not pinned: every start may run other code than the one before.']
}

function hintWarnings({ runtimeHint }: Package, runner: string): string[] {
  return runtimeHint === undefined || runtimeHint === runner
    ? []
    : [`The entry suggests "${runtimeHint}"; Patchbay starts this kind of package with ${runner}.`]
}
