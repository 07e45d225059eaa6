import type { Package } from '../../../src-shared/domain/server-json'
import { runnerOptionWarnings } from './code-deciding'
import type { PlannedArgument, PlannedInstall } from './launch-plan'
import { beforePackage, findNamed, missingItems, namesPackage } from './named-package'
import {
  byRunner,
  customRegistry,
  hintWarnings,
  pinWarnings,
  registryWarnings,
  type RunnerInput,
  type RunnerOutput,
  withVersion,
} from './runner'

const YES = new Set(['-y', '--yes'])

/** A package of npm through `npx -y`. */
export function runNpm({ pkg, runtime: spelled, own }: RunnerInput): RunnerOutput {
  const spec = withVersion(pkg, '@')
  const runtime = sayingYesOnce(spelled, findNamed(pkg, spelled)?.at ?? spelled.length)
  const named = findNamed(pkg, runtime)
  const options = beforePackage(runtime, named)
  const registry = customRegistry(pkg, 'npmjs')
  const isSpelled = options.some(({ value }) => /^--registry(=|$)/.test(value))
  const registryArgs = registry === undefined || isSpelled ? [] : ['--registry', registry]
  const version = named === undefined ? pkg.version : named.version
  const saysYes = options.some(({ value }) => YES.has(value))
  return {
    command: 'npx',
    args: [
      ...(saysYes ? [] : byRunner('-y')),
      ...byRunner(...registryArgs),
      ...runtime,
      ...missingItems(named, { runtime, own, spec: [spec], program: programOf(pkg) }),
      ...own,
    ],
    packageVersion: version === '' ? undefined : version,
    install: named === undefined ? installOf(spec, registryArgs) : undefined,
    warnings: [
      ...pinWarnings({ ...pkg, version }),
      ...hintWarnings(pkg, 'npx'),
      ...registryWarnings(registry),
      ...runnerOptionWarnings('npx', options, (value) => namesPackage(value, pkg)),
    ],
  }
}

/** Behind a pipe npm is silent unless it is asked to tell its requests. */
function installOf(spec: string, registryArgs: readonly string[]): PlannedInstall {
  return {
    command: 'npx',
    args: ['-y', '--loglevel', 'http', ...registryArgs, '-p', spec, 'node', '-e', '0'],
    progress: 'npm',
  }
}

function programOf({ identifier }: Package): string {
  return identifier.split('/').at(-1) ?? identifier
}

/** Of the yeses before the package the first: behind it they are the package's. */
function sayingYesOnce(
  runtime: readonly PlannedArgument[],
  packageAt: number,
): readonly PlannedArgument[] {
  const first = runtime.findIndex(({ value }) => YES.has(value))
  return runtime.filter(
    ({ value }, index) => index <= first || index > packageAt || !YES.has(value),
  )
}
