import { AppError } from '../../../../src-shared/domain/app-error'
import { exactJson, mayLoseDigits } from './exact-json'

/** A result as valid JSON text in one line, and as the parsed value. */
export type ResultText = {
  readonly text: string | Buffer
  readonly result: Readonly<Record<string, unknown>>
  /** The text if the server wrote it. */
  readonly own?: Buffer | undefined
  /** Whether the result was normalized; its text is then still the server's. */
  readonly isNormalized?: boolean
}

/**
 * Returns a result whose text is serialized at the first access, which throws MESSAGE_TOO_LARGE beyond V8's maximum string length, about
 * 512 MB.
 */
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

/** Returns the result as a value that `JSON.stringify` writes with the server's digits; the same object if none is lost. */
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
