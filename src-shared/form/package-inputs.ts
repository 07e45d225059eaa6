import type { Argument, KeyValueInput, Package } from '../domain/server-json'
import { isBareFlag, isFixed } from './input-template'

const RUNNER_SWITCHES: Readonly<Record<string, readonly string[]>> = {
  npm: ['-y', '--yes'],
  oci: ['-i', '--interactive', '--rm', '--init'],
}

/** True for an argument that is passed as it stands and asks nothing of the person. */
export function isSwitch(
  pkg: Package,
  place: 'runtimeArguments' | 'packageArguments',
  index: number,
): boolean {
  const argument = pkg[place][index]
  if (argument?.type !== 'named') return false
  return isBareFlag(argument) || (place === 'runtimeArguments' && isRunnerSwitch(pkg, index))
}

function isRunnerSwitch(pkg: Package, index: number): boolean {
  const argument: Argument | undefined = pkg.runtimeArguments[index]
  if (argument?.type !== 'named' || isFixed(argument)) return false
  if (RUNNER_SWITCHES[pkg.registryType]?.includes(argument.name)) return true
  // Publishers spell `-e NAME` as a described flag and a fixed positional: one needs the other.
  const next = pkg.runtimeArguments[index + 1]
  return pkg.registryType === 'oci' && next?.type === 'positional' && isFixed(next)
}

/** The environment variables with their index; of those that share a name, only the last one counts. */
export function declaredEnvironment(pkg: Package): { input: KeyValueInput; index: number }[] {
  const last = new Map(pkg.environmentVariables.map(({ name }, index) => [name, index]))
  return pkg.environmentVariables
    .map((input, index) => ({ input, index }))
    .filter(({ input, index }) => last.get(input.name) === index)
}
