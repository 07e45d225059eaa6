import { AppError } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'

/** That a file of Patchbay's own could not be written, so that nothing has changed: SETTINGS_UNWRITABLE. */
export function unwritable(path: string, cause: unknown): AppError {
  return new AppError(
    'SETTINGS_UNWRITABLE',
    `Nothing was saved: ${path} could not be written (${messageOf(cause)}).`,
    {
      cause,
      hint: 'Check that the disk has room and that the file and its folder are yours to write, then try again.',
    },
  )
}
