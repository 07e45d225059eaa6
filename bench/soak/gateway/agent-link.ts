/** Identifies the source of an answer or progress report. */
export type Signed = { readonly of: string; readonly value: string; readonly pid: number }

/** The outcome of a call. */
export type LinkAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** A JSON-RPC error; `data.code` is Patchbay's own. */
  | {
      readonly kind: 'error'
      readonly message: string
      readonly data?: { readonly code?: string | undefined } | undefined
    }
  /** The agent canceled it, and nothing came. */
  | { readonly kind: 'cancelled' }

export type LinkCall = {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Gets the message of each progress report; with it the call carries a progress token. */
  readonly onProgress?: ((message: string) => void) | undefined
  /** Cancels the call like an agent of its protocol version. */
  readonly signal?: AbortSignal | undefined
}

/** A connection of an agent, with a session or stateless, by the SDK or plain HTTP. */
export type AgentLink = {
  /** Answers after a request's first, and those without a request. */
  readonly extraAnswers: number
  /** Rejects if no answer came. */
  call(call: LinkCall): Promise<LinkAnswer>
  /** Disconnects properly. */
  close(): Promise<void>
  /** Disconnects abruptly, with everything in flight. */
  vanish(): Promise<void>
}

/** Opens another connection; rejects if that fails. */
export type Connect = () => Promise<AgentLink>

/** A random number below `limit`. */
export function below(limit: number): number {
  return Math.floor(Math.random() * limit)
}

/** Parses the text of a result or report; undefined if it isn't from a soak server. */
export function readSigned(text: unknown): Signed | undefined {
  if (typeof text !== 'string' || !text.startsWith('{"of"')) return undefined
  return JSON.parse(text) as Signed
}
