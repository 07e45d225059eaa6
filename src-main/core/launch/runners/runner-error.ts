import { AppError } from '../../../../src-shared/domain/app-error'
import type { FailureCause } from '../../../../src-shared/domain/running/failure-cause'
import type { RunnerAdvice } from '../../../../src-shared/domain/running/runner-advice'
import type { ChildExit } from '../../process/spawn/child-process'

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

/** A package that its runner could not fetch, with how the runner ended. */
export class InstallError extends AppError {
  constructor(
    command: string,
    readonly exit: ChildExit,
  ) {
    const how = exit.signal ?? `exit code ${String(exit.code)}`
    super('INSTALL_FAILED', `The package couldn’t be installed (${command}: ${how}).`, {
      // The network is blamed only by a cause, from what was printed.
      hint: 'Check the lines below, and the package name and version. Then start again.',
    })
  }
}
