import { AppError } from '../../../../src-shared/domain/app-error'
import { OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import {
  containerRun,
  rejectedOption,
  terminalOption,
} from '../../../../src-shared/form/terminal-option'
import { runnerOptionWarnings } from '../plan/code-deciding'
import type { PlannedArgument, PlannedInstall } from '../plan/launch-plan'
import { cacheEntryOf } from '../repair/cache-entry'
import { beforePackage, findNamed, missingItems, runFacts } from './named-package'
import { runOci } from './oci-runner'
import { runPypi, uvProjectInstall } from './pypi-runner'
import {
  byRunner,
  customRegistry,
  hintWarnings,
  packageItem,
  pinWarnings,
  registryWarnings,
  type RunnerInput,
  type RunnerOutput,
  withVersion,
} from './runner'

/** Matches a package of npm's registry, with or without a version. */
const NPM_SPEC = /^(@[\w.-]+\/)?[\w.-]+(@[\w.^~<>=*+-]+)?$/
const REGISTRY = /^--registry(=|$)/

/**
 * Returns the fetch of a custom npx or uvx command, into the cache that its start reads. Undefined for other commands, for packages of
 * other origins, and if an option is secret.
 */
function ownInstall(command: string, args: readonly PlannedArgument[]): PlannedInstall | undefined {
  const texts = args.map(({ value }) => value)
  const entry = cacheEntryOf(command, texts)
  if (entry === undefined) return undefined
  const used = entry.runner === 'npx' ? entry.packages : entry.options
  if (args.some(({ secret, value }) => secret && used.includes(value))) return undefined
  if (entry.runner === 'npx') {
    const isPlain = entry.packages.every((spec) => NPM_SPEC.test(spec))
    if (!isPlain || texts.some((text) => REGISTRY.test(text))) return undefined
    return npmFetch(
      command,
      entry.packages.flatMap((spec) => ['-p', spec]),
    )
  }
  if (used.some((text) => text.endsWith('@latest'))) return undefined
  return { command, args: [...used, 'python', '-c', '0'] }
}

type Runner = {
  readonly identifier: RegExp
  readonly version?: RegExp
  /** Separator between name and version. */
  readonly separator?: RegExp
  /** Spellings of the command, word by word; the identifier if absent. */
  readonly names?: readonly (readonly string[])[]
  readonly run: (input: RunnerInput) => RunnerOutput
}

/** No colon and no slash: after an "@" they would name another package, an address or a folder. */
const VERSION = /^[\w.+!^~<>=*-]+$/

const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: {
    identifier: /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i,
    separator: /@/,
    names: [['npx']],
    run: runNpm,
  },
  pypi: {
    identifier: /^[a-z0-9][\w.-]*(\[[\w.,-]+\])?$/i,
    // Includes several bounds, as in `>=1,<2`.
    version: /^[\w.+!^~<>=*,-]+$/,
    separator: /==|@/,
    names: [['uvx'], ['uv', 'tool', 'run']],
    run: runPypi,
  },
  oci: {
    // An address with a scheme isn't an image reference.
    identifier: /^(?!\w+:\/\/)[a-z0-9][\w./:@-]*$/i,
    version: /^(sha256:[\da-f]{1,64}|[\w.+-]+)$/,
    names: [['docker']],
    run: runOci,
  },
  nuget: {
    identifier: /^[a-z0-9_][\w.-]*$/i,
    separator: /@/,
    names: [['dnx'], ['dotnet', 'tool', 'exec']],
    run: runNuget,
  },
  cargo: { identifier: /^[a-z0-9_][\w-]*$/i, separator: /@/, run: runCargo },
  [OWN_COMMAND]: { identifier: /^[^\0]+$/, names: [], run: runOwnCommand },
}

const NUGET_EXACT = /^\d+(\.\d+){1,3}(-[\w.-]+)?(\+[\w.-]+)?$/
/** Options of dnx that don't decide which package runs. */
const DNX_PLAIN = new Set(['-y', '--yes', '--allow-roll-forward'])

/** Input of a package's runner: the resolved inputs, and the user's `options`, which precede all others. */
type PackageInput = RunnerInput & { readonly options: readonly PlannedArgument[] }

/** Builds command and argv for the package's kind; UNSUPPORTED_PACKAGE names the obstacle. */
export function runPackage({ options, ...input }: PackageInput): RunnerOutput {
  const runner = startsKind(input.pkg.registryType) ? RUNNERS[input.pkg.registryType] : undefined
  const pkg =
    runner?.separator === undefined ? input.pkg : splitVersion(input.pkg, runner.separator)
  if (runner === undefined) {
    throw unsupported(
      `Patchbay can’t start packages of type "${pkg.registryType}".`,
      'Choose another package of this server, or follow its website.',
    )
  }
  if (
    !runner.identifier.test(pkg.identifier) ||
    !(runner.version ?? VERSION).test(pkg.version ?? '0')
  ) {
    throw unsupported(
      `"${pkg.identifier}${pkg.version === undefined ? '' : `@${pkg.version}`}" isn’t a valid ${pkg.registryType} package name.`,
      'Check the identifier and version in the server.json.',
    )
  }
  const names = runner.names ?? [[pkg.identifier]]
  const runtime = [...options, ...withoutCommand(input.runtime, names)]
  return runner.run({ ...input, pkg, runtime })
}

/** Whether Patchbay can start this kind of package as the registry describes it. */
export function startsKind(registryType: string): boolean {
  return Object.hasOwn(RUNNERS, registryType)
}

/** Some entries append the version to the name, in addition to or instead of its own field. */
function splitVersion(pkg: Package, separator: RegExp): Package {
  const at = pkg.identifier.slice(1).search(separator) + 1
  if (at === 0) return pkg
  const version = pkg.identifier.slice(at).replace(separator, '')
  return { ...pkg, identifier: pkg.identifier.slice(0, at), version: pkg.version ?? version }
}

/** Entries that spell the whole command start with the runner's own name. */
function withoutCommand(
  runtime: readonly PlannedArgument[],
  names: readonly (readonly string[])[],
): readonly PlannedArgument[] {
  const spelled = names.find((words) =>
    words.every((word, index) => runtime[index]?.value === word),
  )
  return spelled === undefined ? runtime : runtime.slice(spelled.length)
}

function unsupported(message: string, hint: string): AppError {
  return new AppError('UNSUPPORTED_PACKAGE', message, { hint })
}

function runNuget({ pkg, runtime, own }: RunnerInput): RunnerOutput {
  const source = customRegistry(pkg, 'nuget')
  return {
    command: 'dnx',
    args: [
      ...runtime,
      ...(findNamed(pkg, runtime) === undefined ? [packageItem(withVersion(pkg, '@'))] : []),
      ...byRunner(...(source === undefined ? [] : ['--source', source])),
      ...(runtime.some(({ value }) => value === '--yes' || value === '-y')
        ? []
        : byRunner('--yes')),
      ...(own.length === 0 ? [] : byRunner('--')),
      ...own,
    ],
    packageVersion: pkg.version,
    install: source === undefined ? nugetInstall(pkg, runtime) : undefined,
    warnings: [
      ...pinWarnings(pkg),
      ...hintWarnings(pkg, 'dnx'),
      ...registryWarnings(source),
      ...runnerOptionWarnings('dnx', runtime, () => false),
    ],
  }
}

/**
 * Installs a .NET tool where dnx looks for it. Undefined if a range, the entry's options or a source might make dnx resolve another
 * package. The install of a local tool ignores sources.
 */
function nugetInstall(
  { identifier, version = '' }: Package,
  runtime: readonly PlannedArgument[],
): PlannedInstall | undefined {
  const isPlain = runtime.every(({ value }) => DNX_PLAIN.has(value))
  if (!isPlain || !NUGET_EXACT.test(version)) return undefined
  const args = ['tool', 'install', identifier, '--version', version]
  return { command: 'dotnet', args, toolManifest: true }
}

/** A server over HTTP reads no stdin. */
function terminalWarnings(
  { identifier, transport }: Package,
  args: readonly PlannedArgument[],
): string[] {
  const texts = args.map(({ shown }) => shown)
  const find = transport.type === 'stdio' ? terminalOption : rejectedOption
  const option = find(identifier, texts)
  return option === undefined ? [] : [option.message]
}

function runCargo({ pkg, runtime, own }: RunnerInput): RunnerOutput {
  return {
    command: pkg.identifier,
    args: [...runtime, ...own],
    packageVersion: pkg.version,
    warnings: [
      `Patchbay runs the installed program "${pkg.identifier}" but doesn’t install crates.`,
    ],
  }
}

/** Runs the command of a user or a bundle without additions. */
function runOwnCommand({ pkg, own }: RunnerInput): RunnerOutput {
  return {
    command: pkg.identifier,
    args: own,
    packageVersion: pkg.version,
    ...writtenContainer(pkg.identifier, own),
    install: uvProjectInstall(pkg, own) ?? ownInstall(pkg.identifier, own),
    warnings: terminalWarnings(pkg, own),
  }
}

/** A name lets Patchbay stop the container of a custom `docker run`, which outlives its client. */
function writtenContainer(
  command: string,
  args: readonly PlannedArgument[],
): Pick<RunnerOutput, 'container'> {
  const values = args.map(({ value }) => value)
  const run = containerRun(command, values)
  if (run === undefined) return {}
  const options = values.slice(run.optionsAt, run.end)
  const isNamed = options.some((option) => /^--name(=|$)/.test(option))
  return { container: { optionsAt: run.optionsAt, isNamed } }
}

/** Options that fetch a package through npx. */
const NPM_FETCH = ['-y', '--loglevel', 'http', '--foreground-scripts'] as const
const YES = /^(-y|--yes)(=true)?$/

/** Runs an npm package through `npx -y`. */
function runNpm({ pkg, runtime: spelled, own }: RunnerInput): RunnerOutput {
  const spec = withVersion(pkg, '@')
  const runtime = withSingleYes(spelled, findNamed(pkg, spelled)?.at ?? spelled.length)
  const named = findNamed(pkg, runtime)
  const options = beforePackage(runtime, named)
  const registry = customRegistry(pkg, 'npmjs')
  const isSpelled = options.some(({ value }) => /^--registry(=|$)/.test(value))
  const registryArgs = registry === undefined || isSpelled ? [] : ['--registry', registry]
  const program = pkg.identifier.split('/').at(-1) ?? pkg.identifier
  const naming = { pkg, runtime, own, named, spec: [spec], program }
  const hasYesOption = options.some(({ value }) => YES.test(value))
  return {
    command: 'npx',
    args: [
      ...(hasYesOption ? [] : byRunner('-y')),
      ...byRunner(...registryArgs),
      ...runtime,
      ...missingItems(naming),
      ...own,
    ],
    install: named === undefined ? npmFetch('npx', [...registryArgs, '-p', spec]) : undefined,
    ...runFacts('npx', naming, registry),
  }
}

/** In a pipe, npm reports requests and install scripts' output only with these options. */
function npmFetch(command: string, packages: readonly string[]): PlannedInstall {
  return { command, args: [...NPM_FETCH, ...packages, 'node', '-e', '0'], progress: 'npm' }
}

/** Keeps the first "yes" option before the package; later ones belong to the package. */
function withSingleYes(
  runtime: readonly PlannedArgument[],
  packageAt: number,
): readonly PlannedArgument[] {
  const first = runtime.findIndex(({ value }) => YES.test(value))
  return runtime.filter(
    ({ value }, index) => index <= first || index > packageAt || !YES.test(value),
  )
}
