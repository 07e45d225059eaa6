/** A failure as JSON-RPC sends it. */
export class RequestError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** Why the user gave a call up: the agent, the server and the log read it. */
export const CANCELED_BY_USER = 'The user canceled it in Patchbay.'

/** JSON-RPC 2.0, 5.1, and MCP. */
export const CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** Up to 2025-11-25; since then it is `invalidParams`. */
  resourceNotFound: -32_002,
  timedOut: -32_001,
  /** All that is Patchbay's own and none of the above. */
  failed: -32_000,
} as const

/** The error object as JSON text. */
export function errorText({ code, message, data }: RequestError): string {
  return JSON.stringify({
    code,
    message: message.toWellFormed(),
    ...(data !== undefined && { data }),
  })
}
