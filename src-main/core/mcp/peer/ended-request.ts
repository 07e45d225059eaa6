/** A request to a server that is over, whoever wanted it. */
export type EndedRequest = {
  readonly method: string
  /** From asking to the whole answer, good or bad. */
  readonly ms: number
  /** The `AppErrorCode` of its failure, or the JSON-RPC code of the server's refusal as text; missing when it succeeded. */
  readonly failure?: string | undefined
}
