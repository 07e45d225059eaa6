import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, realpath, rm, unlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'

import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import { jsonIn } from '../../../../src-shared/domain/attempt'
import type { ChildSpec } from '../../process/spawn/child-process'
import { askProgram } from '../runners/ask-program'
import type { CacheEntry } from './cache-entry'

const ARCHIVE = /^archive-v\d+$/
const ENVIRONMENTS = /^environments-v\d+$/
const UVX_NAME = /^[\w-]{8,64}$/

/** An environment in uv's cache, and the links by which uv finds it. */
type UvxCopy = { readonly folder: string; readonly links: readonly string[] }

/**
 * The environment that a Python belongs to (by its path, as uvx started it), where it is one of uv's cache; undefined
 * where it is not: an installed tool, a wheel that several environments share, or whatever lies elsewhere.
 */
async function uvxCopy(cache: string, python: string): Promise<UvxCopy | undefined> {
  try {
    // Not of the Python itself, which is a link to the one of the system.
    const found = await realpath(dirname(dirname(python)))
    const [bucket, name] = [basename(dirname(found)), basename(found)]
    if (!ARCHIVE.test(bucket) || !UVX_NAME.test(name)) return undefined
    const archive = await folderIn(cache, bucket)
    const folder = archive && (await folderIn(archive, name))
    if (folder !== found) return undefined
    const links = await linksTo(folder, await realpath(cache))
    return links.length === 0 ? undefined : { folder, links }
  } catch {
    return undefined // not there
  }
}

/** Of the environments of the cache those links that lead to this folder. */
async function linksTo(folder: string, cache: string): Promise<string[]> {
  const links: string[] = []
  for (const bucket of await foldersIn(cache, ENVIRONMENTS)) {
    for (const interpreter of await foldersIn(join(cache, bucket), UVX_NAME)) {
      const parent = join(cache, bucket, interpreter)
      for (const entry of await readdir(parent, { withFileTypes: true })) {
        const path = join(parent, entry.name)
        const target = entry.isSymbolicLink() && (await realpath(path).catch(() => undefined))
        if (target === folder) links.push(path)
      }
    }
  }
  return links
}

/** How npx names its folders: the start of a hash over the packages. */
const NAME = /^[0-9a-f]{16}$/
const MOST_BYTES = 1024 * 1024

const Listed = z.object({ _npx: z.object({ packages: z.array(z.string()) }) })

/** The folder of exactly these packages (sorted) in npm's cache; undefined where npx keeps none. */
async function npxCopy(cache: string, packages: readonly string[]): Promise<string | undefined> {
  const root = await folderIn(cache, '_npx')
  if (root === undefined) return undefined
  const hashed = nameOf(packages)
  for (const name of await foldersIn(root, NAME)) {
    const listed = await packagesOf(join(root, name))
    // Half a download has no list yet, and older npm writes none: then the name tells.
    const isIt =
      listed === undefined ? name === hashed : listed.toSorted().join('\n') === packages.join('\n')
    if (isIt) return folderIn(root, name)
  }
  return undefined
}

/** As npx makes it: libnpmexec, SHA-512 over the sorted packages, one a line. */
function nameOf(packages: readonly string[]): string {
  const sorted = [...packages].sort((one, other) => one.localeCompare(other, 'en'))
  return createHash('sha512').update(sorted.join('\n')).digest('hex').slice(0, 16)
}

/** What a folder says of itself; undefined where it says nothing that can be read. */
async function packagesOf(folder: string): Promise<string[] | undefined> {
  const file = join(folder, 'package.json')
  const facts = await lstat(file).catch(() => undefined)
  if (!facts?.isFile() || facts.size > MOST_BYTES) return undefined
  const text = await readFile(file, 'utf8').catch(() => '')
  return Listed.safeParse(jsonIn(text)).data?._npx.packages
}

/** A copy to be taken away, and how its runner is asked: as when it fetches the package. */
export type CopyPlace = Pick<ChildSpec, 'env' | 'cwd' | 'keeper'> & {
  readonly entry: CacheEntry
  /** The full path of npx or uvx. */
  readonly runner: string
}

/** What was taken away, and what fetches it again where the next start would not. */
export type RemovedCopy = {
  /** Undefined where there was none. */
  readonly folder: string | undefined
  readonly refetch?: ChildSpec
}

/** How long an answer may take, in ms; aborting ends the wait for it. */
type Wait = { readonly limitMs: number; readonly signal: AbortSignal }

/** Nothing of the package runs for it, and nothing that the environment sets. */
const PYTHON = ['python', '-I', '-S', '-c']
const PRINT_PYTHON = 'import sys; print(sys.executable)'

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

/** The folder where npx keeps exactly these packages; undefined where there is none. Rejects with REPAIR_FAILED. */
export async function npxFolder(
  place: CopyPlace,
  packages: readonly string[],
  wait: Wait,
): Promise<string | undefined> {
  const npm = { command: beside(place.runner, 'npm'), args: ['config', 'get', 'cache'] }
  return npxCopy(await ask(place, npm, wait), packages)
}

async function removeOfNpx(
  place: CopyPlace,
  packages: readonly string[],
  wait: Wait,
): Promise<RemovedCopy> {
  const folder = await npxFolder(place, packages, wait)
  if (folder !== undefined) await removeFolder(folder)
  return { folder }
}

/**
 * uv finds an environment by a link, and makes it again where that is gone: no option of uvx does it, nor does
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
  const asked = { command, args: ['--quiet', ...options, ...PYTHON, PRINT_PYTHON] }
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

/** The path of a folder right in another one, both without links; undefined where it is a link, no folder or not there. */
async function folderIn(parent: string, name: string): Promise<string | undefined> {
  try {
    const folder = join(await realpath(parent), name)
    const isOwn = (await lstat(folder)).isDirectory() && (await realpath(folder)) === folder
    return isOwn ? folder : undefined
  } catch {
    return undefined // not there, or not for this account
  }
}

/** The names of the folders in a folder whose name is as it must be; links are none. */
async function foldersIn(parent: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  return entries.filter((one) => one.isDirectory() && name.test(one.name)).map((one) => one.name)
}

/** Removes a folder that `folderIn` has found, with all that is in it; what links in it lead to stays. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
