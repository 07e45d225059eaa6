import { AppError } from '../../../src-shared/domain/app-error'
import { isLoopback } from '../network/is-loopback'

/** No connection to a server came about: it, or the network between, is away. */
export class UnreachedError extends AppError {
  /** False where the server is on this computer. */
  readonly needsNetwork: boolean

  constructor(url: URL, message: string, { hint, cause }: { hint: string; cause: unknown }) {
    super('REMOTE_UNREACHABLE', message, { hint, cause })
    this.needsNetwork = !isLoopback(url)
  }
}
