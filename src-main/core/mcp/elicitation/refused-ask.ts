export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602

/** Why a request of a server is not answered, with its code of JSON-RPC: the server is told both. */
export class RefusedAsk extends Error {
  override readonly name = 'RefusedAsk'

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}
