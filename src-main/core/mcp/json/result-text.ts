import { AppError } from '../../../../src-shared/domain/app-error'
import { exactJson, mayLoseDigits } from './exact-json'

/** A result as JSON text in one line, known to be valid, and as it was parsed. */
export type ResultText = {
  readonly text: string | Buffer
  readonly result: Readonly<Record<string, unknown>>
  /** The text, where it is what the server wrote. */
  readonly own?: Buffer | undefined
  /** The result was normalized, and its text is what the server wrote before. */
  readonly isNormalized?: boolean
}

/** A result whose text is written when it is read. That throws MESSAGE_TOO_LARGE over V8's longest string, about 512 MB. */
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
  const text = own?.toString()
  return text !== undefined && mayLoseDigits(text) ? (exactJson(text) as typeof result) : result
}

function written(result: unknown): string {
  try {
    return JSON.stringify(result ?? null)
  } catch (cause) {
    throw new AppError('MESSAGE_TOO_LARGE', 'The result is too large to pass on.', {
      cause,
      hint: 'Request less data at a time.',
    })
  }
}
