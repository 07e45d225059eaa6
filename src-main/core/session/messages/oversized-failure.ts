import { AppError } from '../../../../src-shared/domain/app-error'
import type { OversizedMessage } from '../../lines/message-framing'
import type { Envelope } from './read-envelope'

/** What is said of a message that was let go for its size: to who waits for it, and as a sentence about the server. */
export function oversizedFailure(
  { bytes }: OversizedMessage,
  maxBytes: number,
  envelope: Envelope | undefined,
): { readonly failure: AppError; readonly detail: string } {
  const told = `${megabytes(bytes)} MB, the limit is ${megabytes(maxBytes)} MB`
  const owner = envelope === undefined ? 'It cannot be told whose it is' : `Id ${envelope.id}`
  const failure = new AppError('MESSAGE_TOO_LARGE', `The server’s message is too large: ${told}.`, {
    hint: 'Ask for less at a time, or raise the limit in Settings.',
  })
  return { failure, detail: `A message was let go: ${told}. ${owner}.` }
}

function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 1024 / 1024) * 10) / 10)
}
