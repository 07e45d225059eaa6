/** What an answer, or a report of progress, carries: whose it is. */
export type Signed = { readonly of: string; readonly value: string; readonly pid: number }

/** What came back for a call. */
export type LinkAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  /** In the words of JSON-RPC; `data.code` is Patchbay's own. */
  | {
      readonly kind: 'error'
      readonly message: string
      readonly data?: { readonly code?: string | undefined } | undefined
    }
  /** It was given up by the agent, and nothing came. */
  | { readonly kind: 'cancelled' }

export type LinkCall = {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** The words of each report; with it the call carries a progress token. */
  readonly onProgress?: ((message: string) => void) | undefined
  /** Gives the call up as an agent of its protocol version does. */
  readonly signal?: AbortSignal | undefined
}

/** One connection of an agent, with a session or stateless, by the SDK or over bare HTTP. */
export type AgentLink = {
  /** Answers beyond the first of a request, and those to nobody's request. */
  readonly extraAnswers: number
  /** Rejects where nothing came that is an answer. */
  call(call: LinkCall): Promise<LinkAnswer>
  /** Leaves as it should. */
  close(): Promise<void>
  /** Is gone, with all that it has under way. */
  vanish(): Promise<void>
}

/** Connects one more time; rejects where that fails. */
export type Connect = () => Promise<AgentLink>

/** A number below `limit`. */
export function below(limit: number): number {
  return Math.floor(Math.random() * limit)
}

/** Reads the words of a result or a report; undefined where they are none of a server of the soak. */
export function readSigned(text: unknown): Signed | undefined {
  if (typeof text !== 'string' || !text.startsWith('{"of"')) return undefined
  return JSON.parse(text) as Signed
}
