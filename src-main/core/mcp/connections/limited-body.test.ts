import { describe, expect, it } from 'vitest'

import { limitedBody } from './limited-body'

const LIMIT = 64

async function through(chunks: readonly Uint8Array[]): Promise<number> {
  let counted = 0
  const limited = limitedBody({ maxBytes: LIMIT, onBytes: (count) => (counted += count) })
  const body = ReadableStream.from(chunks).pipeThrough(limited)
  await new Response(body).arrayBuffer()
  return counted
}

describe('C10 the size of an answer', () => {
  it('is bounded', async () => {
    await expect(through([new Uint8Array(LIMIT)])).resolves.toBe(LIMIT)
    await expect(through([new Uint8Array(LIMIT), new Uint8Array(1)])).rejects.toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
    })
  })
})
