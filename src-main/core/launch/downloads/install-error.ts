import { AppError } from '../../../../src-shared/domain/app-error'
import type { ChildExit } from '../../process/spawn/child-process'

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
