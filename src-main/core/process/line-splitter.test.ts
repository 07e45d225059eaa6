import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { LineSplitter, MAX_LINE_LENGTH } from './line-splitter'

function splitInChunks(bytes: Buffer, size: number): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter((line) => lines.push(line))
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
        expect(splitInChunks(bytes, size)).toEqual(splitInChunks(bytes, bytes.length || 1))
      }),
    )
  })

  it('end at LF, CRLF and a lone CR, and keep a last line without an end', () => {
    expect(splitInChunks(Buffer.from('one\r\ntwo\n10%\r20%\rlast'), 4)).toEqual([
      'one',
      'two',
      '10%',
      '20%',
      'last',
    ])
  })

  it('are cut at the limit with the number of characters left out', () => {
    const [line = ''] = splitInChunks(Buffer.from(`${'x'.repeat(MAX_LINE_LENGTH + 5)}\n`), 1_000)
    expect(line).toBe(`${'x'.repeat(MAX_LINE_LENGTH)} … (5 more characters)`)
  })
})
