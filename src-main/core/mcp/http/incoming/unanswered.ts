import { AppError } from '../../../../../src-shared/domain/app-error'

/** The stream of a request ended before its answer, and cannot be taken up again. */
export function cutError(): AppError {
  return new AppError('REMOTE_UNREACHABLE', 'The connection was cut before the answer came.', {
    hint: 'The server may have done what it was asked. Look before you ask again.',
  })
}

/** What came back for a request ended well and held no answer to it. */
export function noAnswerError(): AppError {
  return new AppError('INVALID_ANSWER', 'The server answered without an answer to the request.', {
    hint: 'This is a fault of the server. Look for a newer version of it, or tell its makers.',
  })
}
