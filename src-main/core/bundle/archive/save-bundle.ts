import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

import { AppError } from '../../../../src-shared/domain/app-error'
import { errorMessage } from '../../../../src-shared/domain/error-message'
import { withOpenFile } from '../../import/text/read-at-most'
import { cancelledBundle, invalidBundle, isSystemError, unwritableBundle } from './bundle-error'

/** A completely written file: its SHA-256 in lower-case hex and its size. */
export type SavedBundle = { readonly sha256: string; readonly bytes: number }

export type SaveOptions = {
  /** Maximum number of bytes. */
  readonly limit: number
  readonly signal: AbortSignal
  readonly onBytes: (received: number) => void
}

/**
 * Writes a stream to a new file for this account only, and hashes it meanwhile. Rejects with INVALID_BUNDLE above the limit, with
 * INSTALL_FAILED if the disk fails, otherwise as the source does.
 */
export async function saveBundle(
  source: AsyncIterable<Uint8Array>,
  file: string,
  { limit, signal, onBytes }: SaveOptions,
): Promise<SavedBundle> {
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.byteLength
      if (bytes > limit) throw tooLarge(limit)
      hash.update(chunk)
      onBytes(bytes)
      yield chunk
    }
  }
  try {
    await pipeline(counted(), createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal })
  } catch (error) {
    throw isSystemError(error) && error.path === file ? unwritableBundle(file, error) : error
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** Returns the error of a bundle above the limit. */
export function tooLarge(limit: number): AppError {
  return invalidBundle(`The bundle is larger than ${String(limit / 1024 / 1024)} MB.`)
}

/**
 * Copies a local bundle, so that the hashed bytes are the unpacked ones. Rejects with NOT_FOUND, INVALID_BUNDLE, INSTALL_FAILED or
 * REQUEST_CANCELLED.
 */
export async function copyBundle(
  path: string,
  file: string,
  options: SaveOptions & { readonly onTotal: (bytes: number) => void },
): Promise<SavedBundle> {
  try {
    return await withOpenFile(path, async (opened, facts) => {
      if (!facts.isFile()) throw invalidBundle(`${path} isn’t a file.`, { hint: PICK_HINT })
      if (facts.size > options.limit) throw tooLarge(options.limit)
      options.onTotal(facts.size)
      return saveBundle(opened.createReadStream({ autoClose: false }), file, options)
    })
  } catch (error) {
    if (error instanceof AppError) throw error
    if (options.signal.aborted) throw cancelledBundle()
    if (isSystemError(error) && error.code === 'ENOENT')
      throw new AppError('NOT_FOUND', `File not found: ${path}.`, {
        hint: 'Check the path.',
        cause: error,
      })
    throw invalidBundle(`${path} couldn’t be read: ${errorMessage(error)}.`, {
      hint: 'Check that the file exists and that you have permission to read it.',
      cause: error,
    })
  }
}

const PICK_HINT = 'Choose a file that ends in .mcpb or .dxt.'

/**
 * Resolves a typed or dropped path: in quotes, with `~/` for the home folder, or as a `file:` address. Throws NOT_FOUND for a relative
 * path.
 */
export function typedPath(text: string, home: string): string {
  const unquoted = text.trim().replace(/^(["'])(.*)\1$/, '$2')
  const path = /^file:\/\//i.test(unquoted) ? pathOfAddress(unquoted) : unquoted
  const fullPath = /^~[\\/]/.test(path) ? join(home, path.slice(2)) : path
  if (isAbsolute(fullPath) && !fullPath.includes('\0')) return fullPath
  throw new AppError('NOT_FOUND', `"${text.trim()}" isn’t an absolute path.`, {
    hint: 'Enter the full path, starting at the root of the disk.',
  })
}

function pathOfAddress(address: string): string {
  try {
    return fileURLToPath(address)
  } catch (cause) {
    throw new AppError('NOT_FOUND', `"${address}" isn’t a file on this computer.`, {
      hint: 'Enter the path of the file.',
      cause,
    })
  }
}
