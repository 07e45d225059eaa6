import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { readAtMost, withOpenFile } from '../../import/text/read-at-most'
import { isRemotePath } from '../../launch/paths/check-path'

/** In bytes; most apps keep settings in these files, not documents. */
export const MAX_BYTES = 4 * 1024 * 1024
/** In bytes, for apps that also keep documents there. */
export const MAX_BYTES_WITH_DOCUMENTS = 64 * 1024 * 1024

/** Replaces the hash of a missing file. */
export const ABSENT = 'absent'

/** An app's file on the disk. */
export type HostFileOnDisk = {
  /** Path with links followed; for a missing file, with its folder's links. */
  readonly realPath: string
  /** Hash of the contents. */
  readonly hash: string
} & (
  | {
      readonly kind: 'absent'
      readonly hasFolder: boolean
      /** Why it can't be created, as a sentence. */
      readonly closed: string | undefined
    }
  | {
      readonly kind: 'there'
      readonly bytes: Buffer
      readonly mode: number
      /** Why it can't be written, as a sentence; undefined if it can. */
      readonly closed: string | undefined
    }
  | {
      readonly kind: 'unreadable'
      /** A sentence. */
      readonly problem: string
      readonly isTooLarge?: true
    }
)

/** Reads a file of at most 4 MB, or `most` bytes, following links; never rejects, and accesses no other computer. */
export async function readHostFile(
  path: string,
  platform: NodeJS.Platform = process.platform,
  maxBytes = MAX_BYTES,
): Promise<HostFileOnDisk> {
  const unreadable = (problem: string): HostFileOnDisk => {
    return { kind: 'unreadable', realPath: path, hash: ABSENT, problem }
  }
  if (isRemotePath(path, platform)) return unreadable('The file is on another computer.')
  try {
    const realPath = await realpath(path)
    if (isRemotePath(realPath, platform)) return unreadable('The file links to another computer.')
    return await readReal(realPath, maxBytes)
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      return unreadable(`The file can’t be read (${code}).`)
    if (await isThere(path)) return unreadable('The file is a broken link.')
    return {
      kind: 'absent',
      realPath: await realPathOfAbsent(path),
      hash: ABSENT,
      hasFolder: await isThere(dirname(path)),
      closed: await whyFolderIsClosed(dirname(path)),
    }
  }
}

/** Returns the SHA-256 in hex for comparing contents. */
export function hashOf(content: Buffer | string | undefined): string {
  return content === undefined ? ABSENT : createHash('sha256').update(content).digest('hex')
}

async function readReal(realPath: string, maxBytes: number): Promise<HostFileOnDisk> {
  return withOpenFile(realPath, async (file, facts) => {
    const unread = { kind: 'unreadable', realPath, hash: ABSENT } as const
    if (!facts.isFile()) return { ...unread, problem: 'This isn’t a file.' }
    const bytes = facts.size > maxBytes ? undefined : await readAtMost(file, maxBytes)
    if (!bytes) {
      const problem = `The file is larger than ${String(maxBytes / 1024 / 1024)} MB.`
      return { ...unread, problem, isTooLarge: true }
    }
    const closed = await whyClosed(realPath, facts)
    return { kind: 'there', realPath, hash: hashOf(bytes), bytes, mode: facts.mode, closed }
  })
}

async function whyClosed(realPath: string, facts: Stats): Promise<string | undefined> {
  if (!isOwn(facts)) return 'The file belongs to another account.'
  if (isClosed(facts) || !(await allows(realPath, constants.W_OK))) return 'The file is read-only.'
  return whyFolderIsClosed(dirname(realPath))
}

/** Checks the closest existing folder. */
async function whyFolderIsClosed(folder: string): Promise<string | undefined> {
  const facts = await stat(folder).catch((error: unknown) => error as NodeJS.ErrnoException)
  if (facts instanceof Error) {
    if (facts.code === 'ENOENT' && dirname(folder) !== folder)
      return whyFolderIsClosed(dirname(folder))
    return `The folder ${folder} can’t be read (${facts.code ?? 'unknown reason'}).`
  }
  if (!facts.isDirectory()) return `${folder} isn’t a folder.`
  const isOpen = !isClosed(facts) && (await allows(folder, constants.W_OK | constants.X_OK))
  return isOpen ? undefined : `The folder ${folder} is read-only.`
}

function isOwn(facts: Stats): boolean {
  return process.getuid === undefined || facts.uid === process.getuid()
}

/** Whether the file's mode forbids writing. root could write anyway, but the mode is respected. */
function isClosed(facts: Stats): boolean {
  return isOwn(facts) && (facts.mode & 0o200) === 0
}

async function allows(path: string, rights: number): Promise<boolean> {
  return access(path, rights).then(
    () => true,
    () => false,
  )
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

async function realPathOfAbsent(path: string): Promise<string> {
  return realpath(dirname(path)).then(
    (folder) => join(folder, basename(path)),
    () => path,
  )
}
