import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

import type * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'

/** The content of a private file: none, the value, invalid (`lost`), or currently `unreadable`, with the reason as a sentence. */
export type Found<T> =
  | { readonly kind: 'none' }
  | { readonly kind: 'there'; readonly value: T }
  | { readonly kind: 'lost' | 'unreadable'; readonly reason: string }

const PLAIN_ID = /^[\w-]{1,64}$/u

/** Prefix of an installation's file names; a settings file may contain any id. */
export function fileStemOf(installationId: string): string {
  if (PLAIN_ID.test(installationId)) return installationId
  return createHash('sha256').update(installationId).digest('hex')
}

/** Reads a JSON file of this account; never throws, follows no link, and accepts no file over `maxBytes`. */
export function readOwnJson<T>(path: string, shape: z.ZodType<T>, maxBytes: number): Found<T> {
  const found = readOwnText(path, maxBytes)
  if (found.kind !== 'there') return found
  try {
    const parsed = shape.safeParse(JSON.parse(found.value.replace(/^\uFEFF/u, '')))
    if (parsed.success) return { kind: 'there', value: parsed.data }
  } catch {
    return { kind: 'lost', reason: 'The file isn’t valid JSON.' }
  }
  return { kind: 'lost', reason: 'The file was not written by Patchbay.' }
}

/** Like `readOwnJson`, for expendable files: an unreadable one counts as missing. */
export function readOwnJsonOr<T>(
  path: string,
  shape: z.ZodType<T>,
  maxBytes: number,
): T | undefined {
  const found = readOwnJson(path, shape, maxBytes)
  return found.kind === 'there' ? found.value : undefined
}

/**
 * Replaces a private file; a link in its place is replaced, not followed. Throws the system's error, and a RangeError if `readOwnJson`
 * would reject the size.
 */
export function writeOwnJson(path: string, value: unknown, maxBytes: number): void {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > maxBytes)
    throw new RangeError(`it has more than ${String(maxBytes / 1024 / 1024)} MB`)
  writeOwnText(path, text)
}

/** Like `writeOwnJson` for text; a durable file is synced to disk first. Throws the system's error. */
export function writeOwnText(path: string, text: string, isDurable = false): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.new`
  rmSync(temporary, { force: true })
  writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: isDurable })
  renameSync(temporary, path)
}

/** Renames an invalid file to `.bad`, if it exists. Throws the system's error. */
export function moveToBad(path: string): void {
  try {
    renameSync(path, badPathOf(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Deletes a file and its `.bad` copy. Throws the system's error. */
export function removeOwn(path: string): void {
  for (const one of [path, badPathOf(path)]) rmSync(one, { force: true, recursive: true })
}

function badPathOf(path: string): string {
  return `${path}.bad`
}

/** Like `readOwnJson` for text. */
export function readOwnText(path: string, maxBytes: number): Found<string> {
  // Windows has neither flag, and 0 has no effect there. O_NONBLOCK: a pipe must not block the open.
  const flags: Readonly<Record<string, number | undefined>> = constants
  const { O_RDONLY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = flags
  let file: number | undefined
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const reason = foreignness(fstatSync(file), maxBytes)
    if (reason !== undefined) return { kind: 'lost', reason }
    return { kind: 'there', value: readFileSync(file, 'utf8') }
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { kind: 'none' }
    if (code === 'ELOOP') return { kind: 'lost', reason: 'The file is a link to another place.' }
    return { kind: 'unreadable', reason: `The file can’t be read (${code}).` }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function foreignness(facts: Stats, maxBytes: number): string | undefined {
  if (!facts.isFile()) return 'This isn’t a file.'
  const isOwn = process.getuid === undefined || facts.uid === process.getuid()
  if (!isOwn) return 'The file belongs to another account.'
  return facts.size > maxBytes ? 'The file is too large.' : undefined
}

/** SETTINGS_UNWRITABLE: a private file couldn't be written, so nothing has changed. */
export function unwritable(path: string, cause: unknown): AppError {
  return new AppError(
    'SETTINGS_UNWRITABLE',
    `Not saved: ${path} couldn’t be written (${messageOf(cause)}).`,
    {
      cause,
      hint: 'Check that the disk has space and that you can write to the file and its folder, then try again.',
    },
  )
}
