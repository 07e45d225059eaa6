import { AppError } from '../../../../src-shared/domain/app-error'

export type BodyLimits = {
  readonly maxBytes: number
  readonly onBytes: (count: number) => void
}

/** Passes a body on and fails it with MESSAGE_TOO_LARGE once more comes than one message may take. */
export function limitedBody({
  maxBytes,
  onBytes,
}: BodyLimits): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform: (chunk, controller) => {
      onBytes(chunk.byteLength)
      bytes += chunk.byteLength
      if (bytes > maxBytes) controller.error(tooLarge(maxBytes))
      else controller.enqueue(chunk)
    },
  })
}

function tooLarge(maxBytes: number): AppError {
  const limit = String(Math.floor(maxBytes / 1024 / 1024))
  return new AppError(
    'MESSAGE_TOO_LARGE',
    `The server’s message is larger than ${limit} MB, the limit.`,
    { hint: 'Ask for less at a time, or raise the limit in Settings.' },
  )
}
