import { AppError } from '../../../../src-shared/domain/app-error'
import { errorMessage } from '../../../../src-shared/domain/error-message'

const PUBLISHER_HINT =
  'Report the problem to the publisher, or choose another way to run this server.'

/** A bundle that cannot be used as it is; `message` says what is wrong with it. */
export function invalidBundle(
  message: string,
  { hint = PUBLISHER_HINT, cause }: { readonly hint?: string; readonly cause?: unknown } = {},
): AppError {
  return new AppError('INVALID_BUNDLE', message, { hint, cause })
}

/** The opening was ended by the user. */
export function cancelledBundle(): AppError {
  return new AppError('REQUEST_CANCELLED', 'Opening the bundle was canceled.', {
    hint: 'Nothing was kept. You can open the bundle again at any time.',
  })
}

/** The disk did not take a bundle. */
export function unwritableBundle(folder: string, cause: unknown): AppError {
  const said = errorMessage(cause)
  return new AppError('INSTALL_FAILED', `The bundle couldn’t be saved: ${said}.`, {
    cause,
    hint: `Check that the disk has space and that you can write to ${folder}, then try again.`,
  })
}

/** Whether an error is one of the file system's, such as a full disk. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}
