import { AppError } from '../../../../src-shared/domain/app-error'
import { errorMessage } from '../../../../src-shared/domain/error-message'

const PUBLISHER_HINT =
  'Report the problem to the publisher, or choose another way to run this server.'

/** Returns the error of an unusable bundle; `message` names the problem. */
export function invalidBundle(
  message: string,
  { hint = PUBLISHER_HINT, cause }: { readonly hint?: string; readonly cause?: unknown } = {},
): AppError {
  return new AppError('INVALID_BUNDLE', message, { hint, cause })
}

/** Returns the error for an opening that the user canceled. */
export function cancelledBundle(): AppError {
  return new AppError('REQUEST_CANCELLED', 'Opening the bundle was canceled.', {
    hint: 'Nothing was kept. You can open the bundle again at any time.',
  })
}

/** Returns the error for a bundle that can't be written. */
export function unwritableBundle(folder: string, cause: unknown): AppError {
  const reason = errorMessage(cause)
  return new AppError('INSTALL_FAILED', `The bundle couldn’t be saved: ${reason}.`, {
    cause,
    hint: `Check that the disk has space and that you can write to ${folder}, then try again.`,
  })
}

/** Whether an error comes from the file system, such as a full disk. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

const MB = 1024 * 1024

/** Limits of a bundle: sizes in bytes, times in ms. */
export type BundleLimits = {
  readonly fileBytes: number
  /** For the whole download. */
  readonly downloadMs: number
  /** Without receiving a byte. */
  readonly stallMs: number
  readonly redirects: number
  /** Number of files and folders, including folders that only paths name. */
  readonly entries: number
  readonly entryBytes: number
  readonly totalBytes: number
  /** Ratio of unpacked to packed size, checked above `ratioFromBytes`. */
  readonly ratio: number
  readonly ratioFromBytes: number
  readonly manifestBytes: number
}

/** Far above every published bundle, and harmless for a computer. */
export const DEFAULT_BUNDLE_LIMITS: BundleLimits = {
  fileBytes: 512 * MB,
  downloadMs: 30 * 60_000,
  stallMs: 60_000,
  redirects: 10,
  entries: 50_000,
  entryBytes: 1024 * MB,
  totalBytes: 2048 * MB,
  ratio: 100,
  ratioFromBytes: 16 * MB,
  manifestBytes: MB,
}
