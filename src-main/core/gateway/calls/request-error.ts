/** A JSON-RPC error. */
export class RequestError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** The reason when the user cancels a call, for the agent, the server and the log. */
export const CANCELED_BY_USER = 'The user canceled it in Patchbay.'

/** Error codes of JSON-RPC 2.0, 5.1, and MCP. */
export const CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** Up to 2025-11-25; later versions use `invalidParams`. */
  resourceNotFound: -32_002,
  timedOut: -32_001,
  /** Any other error of Patchbay's own. */
  failed: -32_000,
} as const

/** Returns the error object as JSON text. */
export function errorText({ code, message, data }: RequestError): string {
  return JSON.stringify({
    code,
    message: message.toWellFormed(),
    ...(data !== undefined && { data }),
  })
}
