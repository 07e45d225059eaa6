import { expect, it } from 'vitest'

import { piecesOf } from './long-text'
import { readAll, type TextSource } from './text-source'

function sourceOf(text: string, length: number): TextSource {
  return {
    key: 'text',
    length: text.length,
    read: (from) => Promise.resolve({ text: text.slice(from, from + length), length: text.length }),
  }
}

it('D5: a long text is read in parts, up to the requested length', async () => {
  const text = 'ab\u{1f600}cd'.repeat(50)
  expect(await readAll(sourceOf(text, 7), Infinity)).toBe(text)
  expect(await readAll(sourceOf(text, 7), 20)).toBe(text.slice(0, 20))
  expect(await readAll(sourceOf('', 7), 20)).toBe('')
})

it('D5: reading stops if a text ends before its announced length', async () => {
  const short: TextSource = {
    key: 'short',
    length: 100,
    read: (from) => Promise.resolve({ text: from === 0 ? 'abc' : '', length: 100 }),
  }
  expect(await readAll(short, Infinity)).toBe('abc')
})

it('D5: a long text is split at line ends without losing anything', () => {
  const lines = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n')
  const pieces = piecesOf(lines)
  expect(pieces.length).toBeGreaterThan(5)
  expect(pieces.join('\n')).toBe(lines)
  const faces = '\u{1f600}'.repeat(10_001)
  expect(piecesOf(`x${faces}`).join('')).toBe(`x${faces}`)
  expect(piecesOf(`x${faces}`).every((piece) => piece.isWellFormed())).toBe(true)
})
