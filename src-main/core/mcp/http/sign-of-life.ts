import { SdkHttpError } from '@modelcontextprotocol/client'

const SERVER_FAULT = 500

/** Whether a refused check was answered by the server all the same: by a status below 500, which a proxy before a dead one does not give. */
export function isSignOfLife(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status < SERVER_FAULT
}
