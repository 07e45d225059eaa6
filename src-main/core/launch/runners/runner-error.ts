import { AppError } from '../../../../src-shared/domain/app-error'
import type { FailureCause } from '../../../../src-shared/domain/running/failure-cause'
import type { RunnerAdvice } from '../../../../src-shared/domain/running/runner-advice'
import type { ChildExit } from '../../process/spawn/child-process'

/** Codes for commands that can't run. */
export type RunnerErrorCode =
  | 'COMMAND_NOT_FOUND'
  | 'RUNNER_TOO_OLD'
  | 'RUNNER_NOT_RUNNING'
  | 'RUNNER_NOT_ALLOWED'
  | 'RUNNER_SETUP_FAILED'

/** A command that can't run, with its fixes. */
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

/** A package that its runner couldn't fetch, with the runner's exit. */
export class InstallError extends AppError {
  constructor(
    command: string,
    readonly exit: ChildExit,
  ) {
    const how = exit.signal ?? `exit code ${String(exit.code)}`
    super('INSTALL_FAILED', `The package couldn’t be installed (${command}: ${how}).`, {
      // Only a known cause in the output blames the network.
      hint: 'Check the lines below, and the package name and version. Then start again.',
    })
  }
}
