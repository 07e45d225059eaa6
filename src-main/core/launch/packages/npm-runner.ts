import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import type { PlannedArgument, PlannedInstall } from '../plan/launch-plan'
import { beforePackage, findNamed, missingItems, runFacts } from './named-package'
import {
  byRunner,
  customRegistry,
  type RunnerInput,
  type RunnerOutput,
  withVersion,
} from './runner'

/** The options that fetch a package through npx. */
export const NPM_FETCH = ['-y', '--loglevel', 'http', '--foreground-scripts'] as const
const YES = /^(-y|--yes)(=true)?$/

/** A package of npm through `npx -y`. */
export function runNpm({ pkg, runtime: spelled, own }: RunnerInput): RunnerOutput {
  const spec = withVersion(pkg, '@')
  const runtime = sayingYesOnce(spelled, findNamed(pkg, spelled)?.at ?? spelled.length)
  const named = findNamed(pkg, runtime)
  const options = beforePackage(runtime, named)
  const registry = customRegistry(pkg, 'npmjs')
  const isSpelled = options.some(({ value }) => /^--registry(=|$)/.test(value))
  const registryArgs = registry === undefined || isSpelled ? [] : ['--registry', registry]
  const naming = { pkg, runtime, own, named, spec: [spec], program: programOf(pkg) }
  const saysYes = options.some(({ value }) => YES.test(value))
  return {
    command: 'npx',
    args: [
      ...(saysYes ? [] : byRunner('-y')),
      ...byRunner(...registryArgs),
      ...runtime,
      ...missingItems(naming),
      ...own,
    ],
    install: named === undefined ? installOf(spec, registryArgs) : undefined,
    ...runFacts('npx', naming, registry),
  }
}

/** Behind a pipe npm is silent unless it is asked to tell its requests, and what install scripts print. */
function installOf(spec: string, registryArgs: readonly string[]): PlannedInstall {
  return {
    command: 'npx',
    args: [...NPM_FETCH, ...registryArgs, '-p', spec, 'node', '-e', '0'],
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
  const first = runtime.findIndex(({ value }) => YES.test(value))
  return runtime.filter(
    ({ value }, index) => index <= first || index > packageAt || !YES.test(value),
  )
}
