import { AppError, type AppErrorCode } from '../../../src-shared/domain/app-error'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import { isLoopback } from '../network/is-loopback'

/** A failure whose cause is known from more than its lines. */
export class ExplainedError extends AppError {
  constructor(
    code: AppErrorCode,
    message: string,
    readonly failureCause: FailureCause,
    details: { readonly cause?: unknown; readonly hint?: string | undefined } = {},
  ) {
    super(code, message, details)
  }
}

/** No connection to a server: the server, or the network in between, is away. */
export class UnreachedError extends AppError {
  /** False if the server runs on this computer. */
  readonly needsNetwork: boolean

  constructor(url: URL, message: string, { hint, cause }: { hint: string; cause: unknown }) {
    super('REMOTE_UNREACHABLE', message, { hint, cause })
    this.needsNetwork = !isLoopback(url)
  }
}
