import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import { type HostFileOnDisk, MOST_BYTES_WITH_DOCUMENTS, readHostFile } from './read-host-file'

/** Younger ones may be another program's that is writing now. */
const OLD_MS = 60_000
const MODE = 0o600
const FOLDER_MODE = 0o700
/** On Windows who reads a file keeps it from being replaced for a moment. */
const TRIES = 20
const TRY_EVERY_MS = 50

/** What a file shall hold, and the hash of what it holds until then. */
export type HostFileWrite = {
  /** Absolute; a link is followed. */
  readonly path: string
  /** Where the path led when the change was shown. */
  readonly realPath: string
  readonly before: string
  /** Undefined takes the file away. */
  readonly bytes: Buffer | undefined
}

/**
 * Replaces a file whole: who reads it finds the old bytes or the new ones, also where this process is killed. The mode
 * stays; a new file is this account's alone. Rejects with HOST_FILE_CHANGED or HOST_FILE_UNWRITABLE, with nothing written.
 */
export async function writeHostFile(
  { path, realPath, before, bytes }: HostFileWrite,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  /** The file as it must still be: a link may lead elsewhere by now, whatever stands there. */
  const readChecked = async (): Promise<HostFileOnDisk> => {
    const found = await readHostFile(path, platform, MOST_BYTES_WITH_DOCUMENTS)
    const isMoved = found.realPath !== realPath
    const fault = faultOfHostFile(path, found, before) ?? (isMoved ? changed(path) : undefined)
    if (fault) throw fault
    return found
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
    const fresh = join(
      folder,
      `${temporaryStem(found.realPath)}${randomBytes(6).toString('hex')}.tmp`,
    )
    try {
      await writeFresh(fresh, bytes, found.kind === 'there' ? found.mode & 0o777 : MODE)
      // Its app may have written while the new file was made.
      await readChecked()
      await replace(fresh, found.realPath, platform)
    } catch (error) {
      await rm(fresh, { force: true })
      throw error
    }
    await settleFolder(folder, platform)
  } catch (error) {
    if (error instanceof AppError) throw error
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    throw unwritable(path, `System error: ${code}.`, error)
  }
}

/**
 * Writes a file that its app may be writing at the same time: where it was written since `prepare` read it, nothing is lost and
 * all is done again. What `prepare` rejects with ends it, and so does the last of a few tries.
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

/** HOST_FILE_UNWRITABLE for a file that must not be written, and HOST_FILE_CHANGED for one whose hash is not `before`. */
export function faultOfHostFile(
  path: string,
  found: HostFileOnDisk,
  before: string,
): AppError | undefined {
  if (found.kind === 'unreadable') return unwritable(path, found.problem)
  if (found.hash !== before) return changed(path)
  return found.closed === undefined ? undefined : unwritable(path, found.closed)
}

/** The file is no longer the one that was shown. */
export function changed(path: string): AppError {
  return new AppError(
    'HOST_FILE_CHANGED',
    `${path} changed in the meantime, so nothing was written.`,
    { hint: 'Review the change again, then confirm it.' },
  )
}

/** The file must not be written; `reason` is a sentence. */
export function unwritable(path: string, reason: string, cause?: unknown): AppError {
  return new AppError('HOST_FILE_UNWRITABLE', `Can’t write to ${path}. ${reason}`, {
    cause,
    hint: 'Check that you can write to the file, or edit it yourself.',
  })
}

async function writeFresh(fresh: string, bytes: Buffer, mode: number): Promise<void> {
  const file = await open(fresh, 'wx', MODE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await chmod(fresh, mode)
}

async function replace(fresh: string, path: string, platform: NodeJS.Platform): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(fresh, path)
      return
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      const isBusy = platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(code)
      if (!isBusy || tries >= TRIES) throw error
      await delay(TRY_EVERY_MS)
    }
  }
}

/** After a loss of power the folder names the old file or the new one. Windows has no such call. */
async function settleFolder(folder: string, platform: NodeJS.Platform): Promise<void> {
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

/** Takes away what a killed process left. */
async function removeTemporaryFiles(path: string): Promise<void> {
  const folder = dirname(path)
  const stem = temporaryStem(path)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(stem) || !name.endsWith('.tmp')) continue
    const temporary = join(folder, name)
    // Another Patchbay may have taken it away.
    const facts = await lstat(temporary).catch(() => undefined)
    if (facts && Date.now() - facts.mtimeMs > OLD_MS) await rm(temporary, { force: true })
  }
}
