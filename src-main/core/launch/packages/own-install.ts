import type { PlannedArgument, PlannedInstall } from '../plan/launch-plan'
import { cacheEntryOf } from '../repair/cache-entry'
import { NPM_FETCH } from './npm-runner'

/** A package of npm's registry, with or without a version. */
const NPM_SPEC = /^(@[\w.-]+\/)?[\w.-]+(@[\w.^~<>=*+-]+)?$/
const REGISTRY = /^--registry(=|$)/

/**
 * Fetches the package of an npx or uvx command that a user wrote, into the cache that its start reads. Undefined for other
 * commands, for packages of other places, and where a secret is among the options.
 */
export function ownInstall(
  command: string,
  args: readonly PlannedArgument[],
): PlannedInstall | undefined {
  const texts = args.map(({ value }) => value)
  const entry = cacheEntryOf(command, texts)
  if (entry === undefined) return undefined
  const used = entry.runner === 'npx' ? entry.packages : entry.options
  if (args.some(({ secret, value }) => secret && used.includes(value))) return undefined
  if (entry.runner === 'npx') {
    const isPlain = entry.packages.every((spec) => NPM_SPEC.test(spec))
    if (!isPlain || texts.some((text) => REGISTRY.test(text))) return undefined
    const packages = entry.packages.flatMap((spec) => ['-p', spec])
    return {
      command,
      args: [...NPM_FETCH, ...packages, 'node', '-e', '0'],
      progress: 'npm',
    }
  }
  if (used.some((text) => text.endsWith('@latest'))) return undefined
  return { command, args: [...used, 'python', '-c', '0'] }
}
