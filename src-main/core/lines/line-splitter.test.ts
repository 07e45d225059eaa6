import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { LineSplitter, LONG_LINE } from './line-reader'

/** Splits bytes into lines; long lines are returned as `[text]`. */
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

describe('B1: stderr lines', () => {
  it('are the same for any chunk borders', () => {
    const text = fc.array(fc.constantFrom('a', 'ż', '日本', '🙂', '\n', '\r\n', '\r', ' '), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const bytes = Buffer.from(parts.join(''))
        // As in a terminal, text after a CR replaces the text before it.
        const expected = parts
          .join('')
          .split('\n')
          .map((line) => line.split('\r').findLast((shown) => shown !== '') ?? '')
        if (expected.at(-1) === '') expected.pop()
        expect(splitInChunks(bytes, size)).toEqual(expected)
      }),
    )
  })

  it('lose nothing if they are long, and count as long by their bytes, not by their chunks', () => {
    const short = 'x'.repeat(LONG_LINE)
    const long = `é${'y'.repeat(3 * LONG_LINE)}🙂`
    const bytes = Buffer.from(`${short}\n${long}\r\nz\n${long}`)
    for (const size of [1, 1_000, LONG_LINE, LONG_LINE + 1, bytes.length]) {
      expect(splitInChunks(bytes, size)).toEqual([short, `[${long}]`, 'z', `[${long}]`])
    }
  })
})

describe('F14: progress that a program redraws with carriage returns', () => {
  it('is one line in its last state', () => {
    const bar = Array.from({ length: 350 }, (_, at) => `\rmodel: ${String(at)}`).join('')
    expect(splitInChunks(Buffer.from(`begin\n${bar}\nend\n`), 7)).toEqual([
      'begin',
      'model: 349',
      'end',
    ])
  })

  it('is kept in its last state when the program ends', () => {
    expect(splitInChunks(Buffer.from('model: 1%\rmodel: 2%\r'), 4)).toEqual(['model: 2%'])
  })

  it('can be read while it is redrawn', () => {
    const lines: string[] = []
    const splitter = new LineSplitter({
      onLine: (line) => lines.push(line),
      onLongPart: () => undefined,
      onLongEnd: () => undefined,
    })
    splitter.push(Buffer.from('model: 1%\rmodel: 2%\r'))
    expect([splitter.unfinished, lines]).toEqual(['model: 2%', []])
    splitter.push(Buffer.from('API key: '))
    expect([splitter.unfinished, lines]).toEqual(['API key: ', []])
  })

  it('ends after a long line without an empty line', () => {
    const long = 'y'.repeat(3 * LONG_LINE)
    const bytes = Buffer.from(`a\r${long}\r\n${long}\rz\n\n`)
    for (const size of [1, 1_000, bytes.length])
      expect(splitInChunks(bytes, size)).toEqual([`[${long}]`, `[${long}]`, 'z', ''])
  })
})
