import { AppError } from '../../src-shared/domain/app-error'

/** The words for a dialog when the app cannot start: what happened, and what to do where that is known. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof AppError) return [error.message, error.hint].filter(Boolean).join('\n\n')
  return error instanceof Error ? error.message : String(error)
}
