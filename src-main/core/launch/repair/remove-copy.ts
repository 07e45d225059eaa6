import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, realpath, rm, unlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'

import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import { jsonIn } from '../../../../src-shared/domain/attempt'
import type { ChildSpec } from '../../process/spawn/child-process'
import { queryProgram } from '../runners/ask-program'
import type { CacheEntry } from './cache-entry'

const ARCHIVE = /^archive-v\d+$/
const ENVIRONMENTS = /^environments-v\d+$/
const UVX_NAME = /^[\w-]{8,64}$/

/** An environment in uv's cache, and the links by which uv finds it. */
type UvxCopy = { readonly folder: string; readonly links: readonly string[] }

/**
 * Returns the environment in uv's cache that a Python belongs to, by the path with which uvx started it. Undefined for an installed tool, a
 * wheel shared by several environments, or anything outside the cache.
 */
async function uvxCopy(cache: string, python: string): Promise<UvxCopy | undefined> {
  try {
    // The Python itself is a link to the system's.
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

/** Returns the links in the cache's environments that lead to this folder. */
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

/** Names of npx's folders: the start of a hash over the packages. */
const NAME = /^[0-9a-f]{16}$/
const MAX_BYTES = 1024 * 1024

const Listed = z.object({ _npx: z.object({ packages: z.array(z.string()) }) })

/** Returns the folder of exactly these (sorted) packages in npm's cache; undefined if there is none. */
async function npxCopy(cache: string, packages: readonly string[]): Promise<string | undefined> {
  const root = await folderIn(cache, '_npx')
  if (root === undefined) return undefined
  const hashed = nameOf(packages)
  for (const name of await foldersIn(root, NAME)) {
    const listed = await packagesOf(join(root, name))
    // An interrupted download has no list yet, and older npm writes none: then the name decides.
    const isIt =
      listed === undefined ? name === hashed : listed.toSorted().join('\n') === packages.join('\n')
    if (isIt) return folderIn(root, name)
  }
  return undefined
}

/** Computes the name like libnpmexec: SHA-512 over the sorted packages, one per line. */
function nameOf(packages: readonly string[]): string {
  const sorted = [...packages].sort((one, other) => one.localeCompare(other, 'en'))
  return createHash('sha512').update(sorted.join('\n')).digest('hex').slice(0, 16)
}

/** Returns the packages that a folder lists; undefined if the list is missing or unreadable. */
async function packagesOf(folder: string): Promise<string[] | undefined> {
  const file = join(folder, 'package.json')
  const facts = await lstat(file).catch(() => undefined)
  if (!facts?.isFile() || facts.size > MAX_BYTES) return undefined
  const text = await readFile(file, 'utf8').catch(() => '')
  return Listed.safeParse(jsonIn(text)).data?._npx.packages
}

/** A copy to delete, and the environment for its runner: the same as for fetching. */
export type CopyContext = Pick<ChildSpec, 'env' | 'cwd' | 'processLedger'> & {
  readonly entry: CacheEntry
  /** Full path of npx or uvx. */
  readonly runner: string
}

/** The deleted copy, and the command that fetches it again if the next start wouldn't. */
export type RemovedCopy = {
  /** Undefined if there was none. */
  readonly folder: string | undefined
  readonly refetch?: ChildSpec
}

/** Time limit for a response, in ms; aborting ends the wait. */
type QueryLimits = { readonly limitMs: number; readonly signal: AbortSignal }

/** Runs nothing of the package, and nothing that the environment sets. */
const PYTHON = ['python', '-I', '-S', '-c']
const PRINT_PYTHON = 'import sys; print(sys.executable)'

/**
 * Deletes exactly the copy that npx or uvx keeps of a package. The runner reports the copy's location; a folder outside its cache is left
 * alone. Rejects with REPAIR_FAILED.
 */
export async function removeCopy(context: CopyContext, limits: QueryLimits): Promise<RemovedCopy> {
  const { entry } = context
  try {
    return entry.runner === 'npx'
      ? await removeOfNpx(context, entry.packages, limits)
      : await removeOfUvx(context, entry.options, limits)
  } catch (error) {
    if (error instanceof AppError || limits.signal.aborted) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw repairError(`The package copy that ${entry.runner} keeps couldn’t be removed (${why}).`)
  }
}

/** Returns the error of a failed repair, which left the copy unchanged. */
export function repairError(
  message: string,
  hint = 'Check the log. If a program still uses the copy, end it, then repair again.',
): AppError {
  return new AppError('REPAIR_FAILED', `Not repaired. ${message}`, { hint })
}

/** Returns the folder where npx keeps exactly these packages; undefined if there is none. Rejects with REPAIR_FAILED. */
export async function npxFolder(
  context: CopyContext,
  packages: readonly string[],
  limits: QueryLimits,
): Promise<string | undefined> {
  const npm = { command: siblingOf(context.runner, 'npm'), args: ['config', 'get', 'cache'] }
  return npxCopy(await queryPath(context, npm, limits), packages)
}

async function removeOfNpx(
  context: CopyContext,
  packages: readonly string[],
  limits: QueryLimits,
): Promise<RemovedCopy> {
  const folder = await npxFolder(context, packages, limits)
  if (folder !== undefined) await removeFolder(folder)
  return { folder }
}

/**
 * uv finds an environment by a link, and recreates it if the link is gone; neither an option of uvx nor `uv cache clean` does that.
 * `--refresh` also fetches its wheels again, because environment and wheel share files, and with them any damage.
 */
async function removeOfUvx(
  context: CopyContext,
  options: readonly string[],
  limits: QueryLimits,
): Promise<RemovedCopy> {
  const { runner: command, env, cwd, processLedger } = context
  const uv = { command: siblingOf(command, 'uv'), args: ['cache', 'dir'] }
  const cache = await queryPath(context, uv, limits)
  const probe = { command, args: ['--quiet', ...options, ...PYTHON, PRINT_PYTHON] }
  const copy = await uvxCopy(cache, await queryPath(context, probe, limits))
  if (copy === undefined)
    throw repairError(
      'uvx doesn’t run this package from its cache.',
      'The package may be installed as a uv tool. Reinstall it with `uv tool upgrade --reinstall`.',
    )
  for (const link of copy.links) await unlink(link)
  await removeFolder(copy.folder)
  const args = ['--refresh', ...options, ...PYTHON, '0']
  return { folder: copy.folder, refetch: { command, args, env, cwd, processLedger } }
}

/** Returns the only path that a program prints; its warnings aren't paths. */
async function queryPath(
  { env, cwd, processLedger }: CopyContext,
  program: Pick<ChildSpec, 'command' | 'args'>,
  { limitMs, signal }: QueryLimits,
): Promise<string> {
  const response = await queryProgram({ ...program, env, cwd, processLedger }, limitMs, signal)
  signal.throwIfAborted()
  const name = basename(program.command)
  if (response.kind === 'failed') throw repairError(`${name} did not respond: ${response.reason}`)
  const lines = response.kind === 'answered' ? response.text.split('\n') : []
  const paths = [...new Set(lines.map((line) => line.trim()).filter((line) => isAbsolute(line)))]
  const [path] = paths
  if (path === undefined || paths.length > 1)
    throw repairError(`${name} did not report where the package copy is.`)
  return path
}

/** Returns the path of a program next to the runner, such as npm next to npx. */
function siblingOf(runner: string, name: string): string {
  const ending = /\.(?:cmd|exe)$/i.exec(runner)?.[0] ?? ''
  return join(dirname(runner), `${name}${ending}`)
}

/** Returns the path of a folder directly within another one, both without links; undefined if it is a link, not a folder, or missing. */
async function folderIn(parent: string, name: string): Promise<string | undefined> {
  try {
    const folder = join(await realpath(parent), name)
    const isOwn = (await lstat(folder)).isDirectory() && (await realpath(folder)) === folder
    return isOwn ? folder : undefined
  } catch {
    return undefined // missing, or inaccessible to this account
  }
}

/** Returns the names of subfolders that match, without links. */
async function foldersIn(parent: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  return entries.filter((one) => one.isDirectory() && name.test(one.name)).map((one) => one.name)
}

/** Deletes a folder that `folderIn` has found, without the targets of its links. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
