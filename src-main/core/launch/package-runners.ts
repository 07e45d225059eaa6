import { AppError } from '../../../src-shared/domain/app-error'
import { OWN_COMMAND } from '../../../src-shared/domain/own-command'
import type { Package } from '../../../src-shared/domain/server-json'
import { runnerOptionWarnings } from './code-deciding'
import type { PlannedArgument } from './launch-plan'
import { runOci } from './oci-runner'
import {
  byRunner,
  customRegistry,
  hintWarnings,
  packageItem,
  type RunnerInput,
  type RunnerOutput,
} from './runner'

type Runner = { readonly identifier: RegExp; readonly run: (input: RunnerInput) => RunnerOutput }

const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: { identifier: /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i, run: runNpm },
  pypi: { identifier: /^[a-z0-9][\w.-]*(\[[\w.,-]+\])?$/i, run: runPypi },
  oci: { identifier: /^[a-z0-9][\w./:@-]*$/i, run: runOci },
  nuget: { identifier: /^[a-z0-9_][\w.-]*$/i, run: runNuget },
  cargo: { identifier: /^[a-z0-9_][\w-]*$/i, run: runCargo },
  [OWN_COMMAND]: { identifier: /^[^\0]+$/, run: runOwnCommand },
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
  const named = namedVersion(runtime, pkg)
  const version = named ?? pkg.version
  return {
    command: 'npx',
    args: [
      ...(saysYes ? [] : byRunner('-y')),
      ...byRunner(...registryArgs),
      ...runtime,
      ...(named === undefined ? [packageItem(spec)] : []),
      ...own,
    ],
    packageVersion: version === '' ? undefined : version,
    // Behind a pipe npm is silent unless it is asked to tell its requests.
    install:
      named !== undefined
        ? undefined
        : {
            command: 'npx',
            args: ['-y', '--loglevel', 'http', ...registryArgs, '-p', spec, 'node', '-e', '0'],
            progress: 'npm',
          },
    warnings: [
      ...pinWarnings({ ...pkg, version }),
      ...hintWarnings(pkg, 'npx'),
      ...registryWarnings(registry),
      ...runnerOptionWarnings('npx', beforePackage(runtime, pkg), (value) => names(value, pkg)),
    ],
  }
}

function runPypi({ pkg, runtime, own }: RunnerInput): RunnerOutput {
  const [name = pkg.identifier, extra] = pkg.identifier.split('[')
  const index = customRegistry(pkg, 'pypi')
  const indexArgs = index === undefined ? [] : ['--default-index', index]
  const from = ['--from', withVersion(pkg, '==')]
  const named = namedVersion(runtime, pkg)
  const isNamed = named !== undefined
  const version = named ?? pkg.version
  const spec = extra === undefined ? [withVersion(pkg, '@')] : [...from, name]
  return {
    command: 'uvx',
    args: [
      ...byRunner(...indexArgs),
      ...runtime,
      ...(isNamed ? [] : spec.map(packageItem)),
      ...own,
    ],
    packageVersion: version === '' ? undefined : version,
    // The environment is cached by what it holds, so running its Python fills the one of the start.
    // Compiled ahead, since the first import of a large package takes longer than many a handshake.
    install:
      isNamed || pkg.version === 'latest'
        ? undefined
        : {
            command: 'uvx',
            args: ['--compile-bytecode', ...indexArgs, ...from, 'python', '-c', '0'],
          },
    warnings: [
      ...pinWarnings({ ...pkg, version }),
      ...hintWarnings(pkg, 'uvx'),
      ...registryWarnings(index),
      ...runnerOptionWarnings('uvx', beforePackage(runtime, pkg), (value) => names(value, pkg)),
    ],
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
    warnings: [
      ...pinWarnings(pkg),
      ...hintWarnings(pkg, 'dnx'),
      ...registryWarnings(source),
      ...runnerOptionWarnings('dnx', runtime, () => false),
    ],
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

/** What a person wrote, or what a bundle says: nothing is put around it. */
function runOwnCommand({ pkg, own }: RunnerInput): RunnerOutput {
  return { command: pkg.identifier, args: own, packageVersion: pkg.version, warnings: [] }
}

function withVersion({ identifier, version }: Package, separator: string): string {
  return version === undefined ? identifier : `${identifier}${separator}${version}`
}

/** Whether a runtime argument names the package, with or without extras and version. */
function names(value: string, pkg: Package): boolean {
  const name = pkg.identifier.replace(/\[.*$/, '')
  return value.startsWith(name) && /^(\[[^\]]*\])?((@|==).*)?$/.test(value.slice(name.length))
}

/** The version that the runtime arguments name themselves, empty for none; undefined where they do not name the package. */
function namedVersion(runtime: readonly PlannedArgument[], pkg: Package): string | undefined {
  const item = runtime.find(({ value }) => names(value, pkg))
  // The first character may be the "@" of a scope.
  return item && (/.(?:@|==)([^@/]*)$/.exec(item.value)?.[1] ?? '')
}

/** The runtime arguments that the runner reads itself: those behind the package are the package's. */
function beforePackage(
  runtime: readonly PlannedArgument[],
  pkg: Package,
): readonly PlannedArgument[] {
  const at = runtime.findIndex(({ value }) => names(value, pkg))
  return at === -1 ? runtime : runtime.slice(0, at + 1)
}

function registryWarnings(address: string | undefined): string[] {
  return address === undefined
    ? []
    : [`The package comes from ${address}, which the entry names, not from the public registry.`]
}

function pinWarnings({ registryType, version = '' }: Package): string[] {
  // To npm a version of fewer than three numbers is a range.
  const exact = registryType === 'npm' ? /^v?\d+\.\d+\.\d+([-+][\w.+-]*)?$/ : /^v?\d[\w.+!-]*$/
  return exact.test(version)
    ? []
    : ['The version is not pinned: every start may run other code than the one before.']
}
