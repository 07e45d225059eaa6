import { readFileSync } from 'node:fs'

import { AppError } from '../../src-shared/domain/app-error'

/** Reads a JSON file, with or without a byte order mark. Throws INVALID_REQUEST with a message of one line. */
export function readJson(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw unreadable(`${file} is not valid JSON`, cause)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw unreadable(`${file} can't be read`, cause)
  }
}

function unreadable(what: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('INVALID_REQUEST', `${what}: ${reason}`.replace(/\s+/g, ' '), { cause })
}
