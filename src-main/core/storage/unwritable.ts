import { AppError } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'

/** That a file of Patchbay's own could not be written, so that nothing has changed: SETTINGS_UNWRITABLE. */
export function unwritable(path: string, cause: unknown): AppError {
  return new AppError(
    'SETTINGS_UNWRITABLE',
    `Not saved: ${path} couldn’t be written (${messageOf(cause)}).`,
    {
      cause,
      hint: 'Check that the disk has space and that you can write to the file and its folder, then try again.',
    },
  )
}
