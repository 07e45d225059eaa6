import type { Argument, KeyValueInput, Package } from '../domain/server-json/server-json'
import { isBareFlag, isFixed } from './input-template'

/** A map, because a package type can be called "constructor". */
const RUNNER_SWITCHES: ReadonlyMap<string, readonly string[]> = new Map([
  ['npm', ['-y', '--yes']],
  ['nuget', ['-y', '--yes']],
  ['oci', ['-i', '--interactive', '--rm', '--init']],
])

/** Whether an argument is passed as it is and needs no input from the user. */
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
  if (RUNNER_SWITCHES.get(pkg.registryType)?.includes(argument.name)) return true
  // Publishers write `-e NAME` as a described flag and a fixed positional: each needs the other.
  const next = pkg.runtimeArguments[index + 1]
  return pkg.registryType === 'oci' && next?.type === 'positional' && isFixed(next)
}

/** Returns the environment variables with their index; of those with the same name, only the last one counts. */
export function declaredEnvironment(pkg: Package): { input: KeyValueInput; index: number }[] {
  const last = new Map(pkg.environmentVariables.map(({ name }, index) => [name, index]))
  return pkg.environmentVariables
    .map((input, index) => ({ input, index }))
    .filter(({ input, index }) => last.get(input.name) === index)
}
