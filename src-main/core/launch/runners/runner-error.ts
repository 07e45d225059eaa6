import { AppError } from '../../../../src-shared/domain/app-error'
import type { FailureCause } from '../../../../src-shared/domain/running/failure-cause'
import type { RunnerAdvice } from '../../../../src-shared/domain/running/runner-advice'

/** The ways in which a command cannot run. */
export type RunnerErrorCode =
  | 'COMMAND_NOT_FOUND'
  | 'RUNNER_TOO_OLD'
  | 'RUNNER_NOT_RUNNING'
  | 'RUNNER_NOT_ALLOWED'
  | 'RUNNER_SETUP_FAILED'

/** A command that cannot run as it is, with what fixes it. */
export class RunnerError extends AppError {
  constructor(
    code: RunnerErrorCode,
    message: string,
    hint: string | undefined,
    readonly advice: RunnerAdvice,
    readonly failureCause?: FailureCause,
  ) {
    super(code, message, { hint })
  }
}
