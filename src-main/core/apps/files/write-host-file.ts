import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import { type HostFileOnDisk, MAX_BYTES_WITH_DOCUMENTS, readHostFile } from './read-host-file'

/** Minimum age for deletion; another program may be writing a younger file. */
const OLD_MS = 60_000
const MODE = 0o600
const FOLDER_MODE = 0o700
/** On Windows a reader briefly blocks replacing the file. */
const TRIES = 20
const TRY_EVERY_MS = 50

/** The new bytes of a file, and the hash of its current bytes. */
export type HostFileWrite = {
  /** Absolute path; a link is followed. */
  readonly path: string
  /** The path's target in the preview. */
  readonly realPath: string
  readonly before: string
  /** Undefined deletes the file. */
  readonly bytes: Buffer | undefined
}

/**
 * Replaces a file atomically: readers find the old bytes or the new ones, even if this process is killed. The mode stays; a new file is for
 * this account only. Rejects with HOST_FILE_CHANGED or HOST_FILE_UNWRITABLE, with nothing written.
 */
export async function writeHostFile(
  { path, realPath, before, bytes }: HostFileWrite,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  /** Reads the file and checks that it is unchanged, including a link's target. */
  const readChecked = async (): Promise<HostFileOnDisk> => {
    const current = await readHostFile(path, platform, MAX_BYTES_WITH_DOCUMENTS)
    const isMoved = current.realPath !== realPath
    const fault = faultOfHostFile(path, current, before) ?? (isMoved ? changed(path) : undefined)
    if (fault) throw fault
    return current
  }
  const found = await readChecked()
  try {
    if (bytes === undefined) {
      await unlink(found.realPath)
      return
    }
    const folder = dirname(found.realPath)
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    await removeTemporaryFiles(found.realPath)
    const temporary = join(
      folder,
      `${temporaryStem(found.realPath)}${randomBytes(6).toString('hex')}.tmp`,
    )
    try {
      await writeTemporary(temporary, bytes, found.kind === 'there' ? found.mode & 0o777 : MODE)
      // The app may have written while the new file was created.
      await readChecked()
      await replace(temporary, found.realPath, platform)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await syncFolder(folder, platform)
  } catch (error) {
    if (error instanceof AppError) throw error
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    throw unwritable(path, `System error: ${code}.`, error)
  }
}

/**
 * Writes a file that its app may write concurrently. If the file has changed since `prepare` read it, retries all steps, so that nothing is
 * lost. Rejects if `prepare` does, and after a few failed tries.
 */
export async function writeMoving<T>(prepare: () => Promise<() => Promise<T>>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const write = await prepare()
    try {
      return await write()
    } catch (error) {
      const isMoving = error instanceof AppError && error.code === 'HOST_FILE_CHANGED'
      if (!isMoving || tries >= TRIES) throw error
    }
  }
}

/** Returns HOST_FILE_UNWRITABLE for a file that must not be written, and HOST_FILE_CHANGED if its hash isn't `before`. */
export function faultOfHostFile(
  path: string,
  current: HostFileOnDisk,
  before: string,
): AppError | undefined {
  if (current.kind === 'unreadable') return unwritable(path, current.problem)
  if (current.hash !== before) return changed(path)
  return current.closed === undefined ? undefined : unwritable(path, current.closed)
}

/** Returns the error for a file that differs from the preview. */
export function changed(path: string): AppError {
  return new AppError(
    'HOST_FILE_CHANGED',
    `${path} changed in the meantime, so nothing was written.`,
    { hint: 'Review the change again, then confirm it.' },
  )
}

/** Returns the error for a file that must not be written; `reason` is a sentence. */
export function unwritable(path: string, reason: string, cause?: unknown): AppError {
  return new AppError('HOST_FILE_UNWRITABLE', `Can’t write to ${path}. ${reason}`, {
    cause,
    hint: 'Check that you can write to the file, or edit it yourself.',
  })
}

async function writeTemporary(temporary: string, bytes: Buffer, mode: number): Promise<void> {
  const file = await open(temporary, 'wx', MODE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await chmod(temporary, mode)
}

async function replace(temporary: string, path: string, platform: NodeJS.Platform): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(temporary, path)
      return
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      const isBusy = platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(code)
      if (!isBusy || tries >= TRIES) throw error
      await delay(TRY_EVERY_MS)
    }
  }
}

/** Flushes a folder, so that it names the old file or the new one after a power loss. Windows has no such call. */
async function syncFolder(folder: string, platform: NodeJS.Platform): Promise<void> {
  if (platform === 'win32') return
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

function temporaryStem(path: string): string {
  return `.${basename(path)}.patchbay-`
}

/** Deletes what a killed process left. */
async function removeTemporaryFiles(path: string): Promise<void> {
  const folder = dirname(path)
  const stem = temporaryStem(path)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(stem) || !name.endsWith('.tmp')) continue
    const temporary = join(folder, name)
    // Another Patchbay may have deleted it.
    const facts = await lstat(temporary).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > OLD_MS) await rm(temporary, { force: true })
  }
}
