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
    ({ bytes: size }) => dropped.push(size),
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

  it('gives the same messages however bytes of many scripts, line ends and empty lines are cut', () => {
    const part = fc.constantFrom('{"a":"ż日🙂"}', '\n', '\r\n', '\n\n', ' ', '[1]', '\uFEFF')
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (parts, sizes) => {
          const bytes = Buffer.from(parts.join(''))
          const lines: string[] = []
          const framing = new MessageFraming(
            1_000_000,
            (line) => lines.push(line.toString('utf8')),
            () => undefined,
          )
          for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
            const size = sizes[cut % sizes.length] ?? 1
            framing.push(bytes.subarray(at, at + size))
            at += size
          }
          framing.end()
          expect(lines).toEqual(frame(bytes, bytes.length || 1).lines)
        },
      ),
    )
  })

  it('keeps 4 KB of each end of a message over the limit, wherever it is cut', () => {
    const line = Buffer.from(`HEAD${'x'.repeat(50_000)}TAIL`)
    const kept: { bytes: number; head: Buffer; tail: Buffer }[] = []
    for (const size of [1, 7, 4_096, 5_000, 60_000]) {
      const framing = new MessageFraming(
        10_000,
        () => undefined,
        (message) => kept.push(message),
      )
      const bytes = Buffer.concat([line, Buffer.from('\n')])
      for (let at = 0; at < bytes.length; at += size) framing.push(bytes.subarray(at, at + size))
    }
    expect(kept).toHaveLength(5)
    for (const { bytes, head, tail } of kept) {
      expect(bytes).toBe(line.length)
      expect(head.equals(line.subarray(0, 4_096))).toBe(true)
      expect(tail.equals(line.subarray(-4_096))).toBe(true)
    }
  })

  it('drops a message over the limit, says its size and goes on with the next', () => {
    const bytes = Buffer.from(`${'x'.repeat(100)}\n{"b":2}\n`)
    expect(frame(bytes, 7, 50)).toEqual({ lines: ['{"b":2}'], dropped: [100] })
  })
})
