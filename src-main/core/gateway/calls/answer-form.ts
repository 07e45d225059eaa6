import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { RequestOptions } from '../../mcp/session'
import type { ServerSession } from '../../mcp/session'
import { roughBytes } from '../arguments/value-size'

/** In which form an answer is wanted. */
export type AnswerForm<T> = {
  readonly send: (
    session: ServerSession,
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ) => Promise<T>
  /** Of what Patchbay answers itself. */
  readonly written: (result: Record<string, unknown>) => T
  readonly resultOf: (answer: T) => unknown
  readonly bytesOf: (answer: T) => number
}

/** The result as a value. */
export const AS_VALUE: AnswerForm<unknown> = {
  send: (session, ...request) => session.request(...request),
  written: (result) => result,
  resultOf: (answer) => answer,
  bytesOf: roughBytes,
}

/** The result with its text where the server's own is at hand; no other text is written. */
export const AS_OWN: AnswerForm<ResultText> = {
  send: (session, ...request) => session.requestText(...request),
  written: writtenResult,
  resultOf: ({ result }) => result,
  bytesOf: ({ own, result }) => own?.length ?? roughBytes(result),
}

/** The result as JSON text as well. */
export const AS_TEXT: AnswerForm<ResultText> = {
  send: (session, ...request) => session.requestText(...request),
  written: writtenResult,
  resultOf: ({ result }) => result,
  bytesOf: ({ text }) => Buffer.byteLength(text),
}
