import { AppError, type AppErrorCode } from '../../../src-shared/domain/app-error'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'

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
