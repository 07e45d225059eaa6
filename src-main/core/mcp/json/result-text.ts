import { isUtf8 } from 'node:buffer'

import { AppError } from '../../../../src-shared/domain/app-error'
import { exactJson, exactStructured, mayLoseDigits } from './exact-json'
import type { ReadLine } from './read-message'

/** A result as JSON text in one line, known to be valid, and as it was parsed. */
export type ResultText = {
  readonly text: string | Buffer
  readonly result: Readonly<Record<string, unknown>>
  /** The text, where it is what the server wrote. */
  readonly own?: Buffer | undefined
  /** The result was normalized, and its text is what the server wrote before. */
  readonly isNormalized?: boolean
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

/** A result that was read otherwise; its text is written when it is asked for. That throws MESSAGE_TOO_LARGE over V8's longest string, about 512 MB. */
export function writtenResult(result: unknown): ResultText {
  let text: string | undefined
  return {
    get text() {
      text ??= written(result)
      return text
    },
    result: (result ?? {}) as Readonly<Record<string, unknown>>,
  }
}

/** The result as a value that `JSON.stringify` writes with the digits of its server; the same object where none is lost. */
export function exactResult({ own, result }: ResultText): Readonly<Record<string, unknown>> {
  if (own) {
    const text = own.toString()
    return mayLoseDigits(text) ? (exactJson(text) as typeof result) : result
  }
  const { structuredContent } = result
  const exact = exactStructured(structuredContent)
  return exact === structuredContent ? result : { ...result, structuredContent: exact }
}

/** As it came, with a text that has the digits of its server. */
export function exactText(answer: ResultText): ResultText {
  if (answer.own) return answer
  const exact = exactResult(answer)
  return exact === answer.result ? answer : writtenResult(exact)
}

function written(result: unknown): string {
  try {
    return JSON.stringify(result ?? null)
  } catch (cause) {
    throw new AppError('MESSAGE_TOO_LARGE', 'This result is too large to be passed on.', {
      cause,
      hint: 'Ask for less at a time.',
    })
  }
}
