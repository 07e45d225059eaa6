import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { LineSplitter, LONG_LINE } from './line-splitter'

/** Long lines as `[text]`, so that the tests see which way a line went. */
function splitInChunks(bytes: Buffer, size: number): string[] {
  const lines: string[] = []
  let parts: Buffer[] = []
  const splitter = new LineSplitter({
    onLine: (line) => lines.push(line),
    onLongPart: (part) => parts.push(Buffer.from(part)),
    onLongEnd: () => {
      lines.push(`[${Buffer.concat(parts).toString('utf8')}]`)
      parts = []
    },
  })
  for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size))
  splitter.end()
  return lines
}

describe('B1 stderr lines', () => {
  it('come out the same wherever the bytes are cut', () => {
    const text = fc.array(fc.constantFrom('a', 'ż', '日本', '🙂', '\n', '\r\n', '\r', ' '), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const bytes = Buffer.from(parts.join(''))
        const expected = parts.join('').split(/\r\n|\n|\r/u)
        if (expected.at(-1) === '') expected.pop()
        expect(splitInChunks(bytes, size)).toEqual(expected)
      }),
    )
  })

  it('lose nothing when they are long, and are long by their bytes, not by how they come', () => {
    const short = 'x'.repeat(LONG_LINE)
    const long = `é${'y'.repeat(3 * LONG_LINE)}🙂`
    const bytes = Buffer.from(`${short}\n${long}\r\nz\n${long}`)
    for (const size of [1, 1_000, LONG_LINE, LONG_LINE + 1, bytes.length]) {
      expect(splitInChunks(bytes, size)).toEqual([short, `[${long}]`, 'z', `[${long}]`])
    }
  })
})
