import { AppError } from '../../../src-shared/domain/app-error'
import { isLoopback } from '../network/is-loopback'

/**
 * What the system says of a connection that never came about. A refused one is among them: it may be a server that is
 * down, or a VPN, a router or a proxy that is; to ask again costs nobody anything, and no person could do better.
 */
const NEVER_REACHED: readonly string[] = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** Whether the system's error means that nothing was reached, so that nothing was sent either. */
export function isNeverReached(code: string | undefined): boolean {
  return code !== undefined && NEVER_REACHED.includes(code)
}

/** No connection to a server came about: it, or the network between, is away. */
export class UnreachedError extends AppError {
  /** False where the server is on this computer. */
  readonly needsNetwork: boolean

  constructor(url: URL, message: string, { hint, cause }: { hint: string; cause: unknown }) {
    super('REMOTE_UNREACHABLE', message, { hint, cause })
    this.needsNetwork = !isLoopback(url)
  }
}
