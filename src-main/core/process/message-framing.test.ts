import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MessageFraming } from './message-framing'

function frame(
  bytes: Buffer,
  size: number,
  maxBytes = 1_000_000,
): { lines: string[]; dropped: number[] } {
  const lines: string[] = []
  const dropped: number[] = []
  const framing = new MessageFraming(
    maxBytes,
    (line) => lines.push(line.toString('utf8')),
    (count) => dropped.push(count),
  )
  for (let at = 0; at < bytes.length; at += size) framing.push(bytes.subarray(at, at + size))
  framing.end()
  return { lines, dropped }
}

describe('B2 message framing', () => {
  it('gives back every message however the chunks fall', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.integer({ min: 1, max: 64 }), (messages, size) => {
        const bytes = Buffer.from(messages.map((message) => `${message}\n`).join(''))
        expect(frame(bytes, size).lines).toEqual(messages)
      }),
    )
  })

  it('skips empty lines, takes CRLF and a last message without its newline', () => {
    expect(frame(Buffer.from('{"a":1}\r\n\n\r\n{"b":2}'), 3).lines).toEqual(['{"a":1}', '{"b":2}'])
  })

  it('drops a message over the limit, says its size and goes on with the next', () => {
    const bytes = Buffer.from(`${'x'.repeat(100)}\n{"b":2}\n`)
    expect(frame(bytes, 7, 50)).toEqual({ lines: ['{"b":2}'], dropped: [100] })
  })
})
