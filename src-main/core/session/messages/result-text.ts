import { isUtf8 } from 'node:buffer'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { ReadLine } from './read-message'

/** A result as JSON text in one line, known to be valid, and as it was parsed. */
export type ResultText = {
  readonly text: string | Buffer
  readonly result: Readonly<Record<string, unknown>>
}

/** What stands around a result where nothing else does, in bytes. */
const LONGEST_ENVELOPE = 256
const MEMBER = String.raw`(?:"jsonrpc"\s*:\s*"2\.0"|"id"\s*:\s*(?:\d{1,15}|"\d{1,15}"))`
const HEAD = new RegExp(String.raw`^\s*\{\s*(?:${MEMBER}\s*,\s*){0,2}"result"\s*:\s*$`)
const TAIL = new RegExp(String.raw`^\s*(?:,\s*${MEMBER}\s*){0,2}\}\s*$`)

/**
 * The result of an answer as its line has it; undefined where it would have to be written anew: the line is no
 * single message, was decorated, is no valid UTF-8, or has anything but version, id and one object as result.
 */
export function plainResult(
  line: Buffer,
  { messages, decorated, inner }: ReadLine,
): Buffer | undefined {
  const { from, to } = inner
  const around = from + line.length - to
  if (decorated || messages.length !== 1 || to <= from || around > LONGEST_ENVELOPE)
    return undefined
  const isPlain =
    HEAD.test(line.toString('latin1', 0, from)) && TAIL.test(line.toString('latin1', to))
  const text = isPlain ? line.subarray(from, to) : undefined
  return text && isUtf8(text) ? text : undefined
}

/** A result that was read otherwise. Throws MESSAGE_TOO_LARGE over V8's longest string, about 512 MB. */
export function writtenResult(result: unknown): ResultText {
  try {
    return {
      text: JSON.stringify(result ?? null),
      result: (result ?? {}) as Readonly<Record<string, unknown>>,
    }
  } catch (cause) {
    throw new AppError('MESSAGE_TOO_LARGE', 'This result is too large to be passed on.', {
      cause,
      hint: 'Ask for less at a time.',
    })
  }
}
