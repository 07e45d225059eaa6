import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MessageFraming, type OversizedMessage } from './message-framing'

/** Returns the lines of bytes in chunks of these repeated sizes, and the oversized ones. */
function frame(bytes: Buffer, sizes: readonly number[], maxBytes = 1_000_000) {
  const lines: string[] = []
  const oversized: OversizedMessage[] = []
  const framing = new MessageFraming(
    maxBytes,
    (line) => lines.push(line.toString('utf8')),
    (message) => oversized.push(message),
  )
  for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
    const size = sizes[cut % sizes.length] ?? 1
    framing.push(bytes.subarray(at, at + size))
    at += size
  }
  framing.end()
  return { lines, oversized }
}

const sizes = fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 1 })

describe('B2: message framing', () => {
  it('returns every message for any chunk borders', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), sizes, (messages, cuts) => {
        const bytes = Buffer.from(messages.map((message) => `${message}\n`).join(''))
        expect(frame(bytes, cuts).lines).toEqual(messages)
      }),
    )
  })

  it('skips empty lines, and accepts CRLF and a last message without newline, for any chunk borders', () => {
    const lines = ['{"a":1}', '{"b":2}']
    expect(frame(Buffer.from('{"a":1}\r\n\n\r\n{"b":2}'), [3]).lines).toEqual(lines)
    const part = fc.constantFrom('{"a":"ż日🙂"}', '\n', '\r\n', '\n\n', ' ', '[1]', '\uFEFF')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), sizes, (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''))
        expect(frame(bytes, cuts)).toEqual(frame(bytes, [bytes.length || 1]))
      }),
    )
  })

  it.each([1, 7, 4_096, 5_000, 60_000])(
    'drops an oversized message except its ends, and continues with the next, in chunks of %i',
    (size) => {
      const line = Buffer.from(`HEAD${'x'.repeat(50_000)}TAIL`)
      const bytes = Buffer.concat([line, Buffer.from('\n{"b":2}\n')])
      const { lines, oversized } = frame(bytes, [size], 10_000)
      expect(lines).toEqual(['{"b":2}'])
      const ends = { head: line.subarray(0, 4_096), tail: line.subarray(-4_096) }
      expect(oversized).toEqual([{ bytes: line.length, ...ends }])
    },
  )
})
