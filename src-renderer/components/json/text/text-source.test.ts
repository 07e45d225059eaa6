import { expect, it } from 'vitest'

import { TreeKeys } from '../json-panel'
import { piecesOf } from '../long-text'
import { readWhole, type TextSource } from './text-source'

function sourceOf(text: string, length: number): TextSource {
  return {
    key: 'text',
    length: text.length,
    read: (from) => Promise.resolve({ text: text.slice(from, from + length), length: text.length }),
  }
}

it('D5 a long text is read part by part, and no further than is wanted', async () => {
  const text = 'ab\u{1f600}cd'.repeat(50)
  expect(await readWhole(sourceOf(text, 7), Infinity)).toBe(text)
  expect(await readWhole(sourceOf(text, 7), 20)).toBe(text.slice(0, 20))
  expect(await readWhole(sourceOf('', 7), 20)).toBe('')
})

it('D5 a text that ends before it said it would ends', async () => {
  const short: TextSource = {
    key: 'short',
    length: 100,
    read: (from) => Promise.resolve({ text: from === 0 ? 'abc' : '', length: 100 }),
  }
  expect(await readWhole(short, Infinity)).toBe('abc')
})

it('D5 a long text is cut into pieces at the ends of lines, and nothing of it is lost', () => {
  const lines = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n')
  const pieces = piecesOf(lines)
  expect(pieces.length).toBeGreaterThan(5)
  expect(pieces.join('\n')).toBe(lines)
  const faces = '\u{1f600}'.repeat(10_001)
  expect(piecesOf(`x${faces}`).join('')).toBe(`x${faces}`)
  expect(piecesOf(`x${faces}`).every((piece) => piece.isWellFormed())).toBe(true)
})

it('D5 keys of a tree: letters that follow each other are one beginning', () => {
  const keys = new TreeKeys()
  const press = (key: string, at: number): unknown =>
    keys.keyOf({ key, ctrlKey: false, metaKey: false, altKey: false }, 10, at)
  expect(press('a', 0)).toEqual({ kind: 'begins', text: 'a' })
  expect(press(' ', 100)).toEqual({ kind: 'begins', text: 'a ' })
  expect(press('b', 200)).toEqual({ kind: 'begins', text: 'a b' })
  expect(press('c', 5_000)).toEqual({ kind: 'begins', text: 'c' })
  expect(press(' ', 9_000)).toEqual({ kind: 'toggle' })
  expect(press('PageDown', 9_000)).toEqual({ kind: 'by', rows: 10 })
  expect(press('Tab', 9_000)).toBeUndefined()
  expect(
    keys.keyOf({ key: 'f', ctrlKey: true, metaKey: false, altKey: false }, 1, 0),
  ).toBeUndefined()
})
