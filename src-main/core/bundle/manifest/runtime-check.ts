import { basename } from 'node:path'

import { coerce, satisfies, validRange } from 'semver'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { BundleManifest } from './manifest'

/** How people call the runtimes that a manifest names. */
export const RUNTIMES: ReadonlyMap<string, string> = new Map([
  ['node', 'Node.js'],
  ['python', 'Python'],
])

const PROGRAMS: readonly (readonly [string, RegExp])[] = [
  ['node', /^node(\.exe)?$/i],
  ['python', /^(python[\d.]*|py)(\.exe)?$/i],
]

/**
 * Holds the program that a bundle starts with against the versions that its manifest asks for; `ask` tells the
 * version of a program. Rejects with RUNNER_TOO_OLD; what nobody can tell is no obstacle.
 */
export async function checkRuntime(
  { compatibility }: Pick<BundleManifest, 'compatibility'>,
  command: string,
  ask: (command: string) => Promise<string | undefined>,
): Promise<void> {
  const [runtime] = PROGRAMS.find(([, program]) => program.test(basename(command))) ?? []
  const needed = runtime === undefined ? undefined : compatibility?.runtimes?.[runtime]
  // Python's own way writes a comma between two bounds.
  const range = needed?.replaceAll(',', ' ')
  if (runtime === undefined || range === undefined || validRange(range) === null) return
  const version = await ask(command)
  const found = coerce(version)
  if (found === null || satisfies(found, range)) return
  const name = RUNTIMES.get(runtime) ?? runtime
  throw new AppError(
    'RUNNER_TOO_OLD',
    `This bundle requires ${name} ${range.slice(0, 100)}, but ${command} is ${found.version}.`,
    { hint: `Install a matching version of ${name}, then try again.` },
  )
}
