import { unlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { ChildSpec } from '../../process/spawn/child-process'
import { askProgram } from '../runners/ask-program'
import type { CacheEntry } from './cache-entry'
import { npxCopy } from './npx-copy'
import { removeFolder } from './own-folder'
import { uvxCopy } from './uvx-copy'

/** A copy to be taken away, and how its runner is asked: as when it fetches the package. */
export type CopyPlace = Pick<ChildSpec, 'env' | 'cwd' | 'keeper'> & {
  readonly entry: CacheEntry
  /** The full path of npx or uvx. */
  readonly runner: string
}

/** What was taken away, and what fetches it anew where the next start would not. */
export type RemovedCopy = {
  /** Undefined where there was none. */
  readonly folder: string | undefined
  readonly refetch?: ChildSpec
}

/** How long an answer may take, in ms; aborting ends the wait for it. */
type Wait = { readonly limitMs: number; readonly signal: AbortSignal }

/** Nothing of the package runs for it, and nothing that the environment sets. */
const PYTHON = ['python', '-I', '-S', '-c']
const TELL_PYTHON = 'import sys; print(sys.executable)'

/**
 * Takes away the copy that npx or uvx keeps of a package and no other. Where it lies is asked of the runner; what is
 * no folder of its cache is left alone. Rejects with REPAIR_FAILED.
 */
export async function removeCopy(place: CopyPlace, wait: Wait): Promise<RemovedCopy> {
  const { entry } = place
  try {
    return entry.runner === 'npx'
      ? await removeOfNpx(place, entry.packages, wait)
      : await removeOfUvx(place, entry.options, wait)
  } catch (error) {
    if (error instanceof AppError || wait.signal.aborted) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw repairError(`The package copy that ${entry.runner} keeps couldn’t be removed (${why}).`)
  }
}

/** A repair that came to nothing; the copy is as it was. */
export function repairError(
  message: string,
  hint = 'Check the log. If a program still uses the copy, end it, then repair again.',
): AppError {
  return new AppError('REPAIR_FAILED', `Not repaired. ${message}`, { hint })
}

async function removeOfNpx(
  place: CopyPlace,
  packages: readonly string[],
  wait: Wait,
): Promise<RemovedCopy> {
  const npm = { command: beside(place.runner, 'npm'), args: ['config', 'get', 'cache'] }
  const cache = await ask(place, npm, wait)
  const folder = await npxCopy(cache, packages)
  if (folder !== undefined) await removeFolder(folder)
  return { folder }
}

/**
 * uv finds an environment by a link, and makes it anew where that is gone: no option of uvx does it, nor does
 * `uv cache clean`. With --refresh its wheels are fetched again too, as a file that was cut in one is the same file in the other.
 */
async function removeOfUvx(
  place: CopyPlace,
  options: readonly string[],
  wait: Wait,
): Promise<RemovedCopy> {
  const { runner: command, env, cwd, keeper } = place
  const uv = { command: beside(command, 'uv'), args: ['cache', 'dir'] }
  const cache = await ask(place, uv, wait)
  const asked = { command, args: ['--quiet', ...options, ...PYTHON, TELL_PYTHON] }
  const copy = await uvxCopy(cache, await ask(place, asked, wait))
  if (copy === undefined)
    throw repairError(
      'uvx doesn’t run this package from its cache.',
      'The package may be installed as a uv tool. Reinstall it with `uv tool upgrade --reinstall`.',
    )
  for (const link of copy.links) await unlink(link)
  await removeFolder(copy.folder)
  const args = ['--refresh', ...options, ...PYTHON, '0']
  return { folder: copy.folder, refetch: { command, args, env, cwd, keeper } }
}

/** The one path that a program answers with; what it warns of meanwhile is none. */
async function ask(
  { env, cwd, keeper }: CopyPlace,
  program: Pick<ChildSpec, 'command' | 'args'>,
  { limitMs, signal }: Wait,
): Promise<string> {
  const answer = await askProgram({ ...program, env, cwd, keeper }, limitMs, signal)
  signal.throwIfAborted()
  const name = basename(program.command)
  if (answer.kind === 'failed') throw repairError(`${name} did not respond: ${answer.reason}`)
  const lines = answer.kind === 'answered' ? answer.text.split('\n') : []
  const paths = [...new Set(lines.map((line) => line.trim()).filter((line) => isAbsolute(line)))]
  const [path] = paths
  if (path === undefined || paths.length > 1)
    throw repairError(`${name} did not report where the package copy is.`)
  return path
}

/** A program that comes with a runner, as npm with npx. */
function beside(runner: string, name: string): string {
  const ending = /\.(?:cmd|exe)$/i.exec(runner)?.[0] ?? ''
  return join(dirname(runner), `${name}${ending}`)
}
