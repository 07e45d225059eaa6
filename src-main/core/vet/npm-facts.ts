import { dirname, join } from 'node:path'

import type * as z from 'zod'

import { errorMessage } from '../../../src-shared/domain/error-message'
import type { CopyPlace } from '../launch/repair/remove-copy'
import { askProgram } from '../launch/runners/ask-program'
import type { CheckContext } from './check'
import type { VetRun } from './vet-run'

/** Longest time of one answer of npm, in ms. */
const ASK_MS = 60_000
const MOST_LINES = 500_000

/** A package that npx runs, and how npx was asked for it. */
export type NpmPlace = CopyPlace & {
  readonly entry: Extract<CopyPlace['entry'], { runner: 'npx' }>
}

/** Undefined where the server is no package that npx runs. */
export function npmPlaceOf({ launch }: VetRun): NpmPlace | undefined {
  const place = launch.kind === 'command' ? launch.copy?.place : undefined
  if (place?.entry.runner !== 'npx') return undefined
  return { ...place, entry: place.entry }
}

/** Asks npm, with the registry that the package comes from. Rejects where it has no answer of this form. */
export async function askNpm<T>(
  { runner, env, cwd, keeper }: NpmPlace,
  words: readonly string[],
  schema: z.ZodType<T>,
  { entry: { offer }, signal }: CheckContext,
): Promise<T> {
  const command = join(dirname(runner), process.platform === 'win32' ? 'npm.cmd' : 'npm')
  const base = offer.kind === 'package' ? offer.pkg.registryBaseUrl : undefined
  // Silent: a warning would stand between the lines of the answer.
  const args = [...words, '--json', '--loglevel=silent', ...(base ? [`--registry=${base}`] : [])]
  const answer = await askProgram({ command, args, env, cwd, keeper }, ASK_MS, signal, MOST_LINES)
  if (answer.kind !== 'answered') throw noAnswer(words, 'It didn’t answer.')
  try {
    return schema.parse(JSON.parse(answer.text))
  } catch (error) {
    throw noAnswer(words, errorMessage(error))
  }
}

function noAnswer([name = '']: readonly string[], cause: string): Error {
  const message = `npm ${name} has no answer. The package registry may be out of reach, or doesn’t support it.`
  return new Error(message, { cause })
}
