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

/** What a file of Patchbay's own holds: nothing yet, what was written there, something else (`lost`), or what the system does not tell now (`unreadable`); why, as a sentence. */
export type Found<T> =
  | { readonly kind: 'none' }
  | { readonly kind: 'there'; readonly value: T }
  | { readonly kind: 'lost' | 'unreadable'; readonly reason: string }

const PLAIN_ID = /^[\w-]{1,64}$/u

/** What the names of the files of an installation begin with; a settings file may hold any text as an id. */
export function fileStemOf(installationId: string): string {
  if (PLAIN_ID.test(installationId)) return installationId
  return createHash('sha256').update(installationId).digest('hex')
}

/** Reads a JSON file of this account; never throws, follows no link, and takes no file over `maxBytes`. */
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

/** As `readOwnJson`, for a file that costs little to lose: whatever cannot be read counts as nothing. */
export function recallOwnJson<T>(
  path: string,
  shape: z.ZodType<T>,
  maxBytes: number,
): T | undefined {
  const found = readOwnJson(path, shape, maxBytes)
  return found.kind === 'there' ? found.value : undefined
}

/** Replaces a file whole, for this account alone; a link in its place is replaced and not followed. Throws the system's error, and a RangeError for what `readOwnJson` would not take. */
export function writeOwnJson(path: string, value: unknown, maxBytes: number): void {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > maxBytes)
    throw new RangeError(`it has more than ${String(maxBytes / 1024 / 1024)} MB`)
  writeOwnText(path, text)
}

/** As `writeOwnJson`, a text as it is; a durable one is on the disk before it replaces the file. Throws the system's error. */
export function writeOwnText(path: string, text: string, isDurable = false): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.new`
  rmSync(fresh, { force: true })
  writeFileSync(fresh, text, { flag: 'wx', mode: 0o600, flush: isDurable })
  renameSync(fresh, path)
}

/** Keeps what is in the way of a file, under its name with `.bad`; one that is not there is fine. Throws the system's error. */
export function putAside(path: string): void {
  try {
    renameSync(path, badPathOf(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Deletes a file with what was put aside for it. Throws the system's error. */
export function removeOwn(path: string): void {
  for (const one of [path, badPathOf(path)]) rmSync(one, { force: true, recursive: true })
}

function badPathOf(path: string): string {
  return `${path}.bad`
}

/** As `readOwnJson`, a text as it is. */
export function readOwnText(path: string, maxBytes: number): Found<string> {
  // Windows has neither flag, and 0 changes nothing there. A pipe must not block the open.
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

/** That a file of Patchbay's own could not be written, so that nothing has changed: SETTINGS_UNWRITABLE. */
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
