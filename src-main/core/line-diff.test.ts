import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { lineDiff } from './line-diff'

const texts = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'end'), { maxLength: 12 })
  .map((lines) => lines.join(''))

const linesOf = (text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/u, '')
        .split('\n')
        .map((line) => line.replace(/\r$/u, ''))

describe('C6 and D6: a line diff', () => {
  it('numbers removed lines as in the old text, others as in the new one', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const diff = lineDiff(before, after)
        const [old, now] = [linesOf(before), linesOf(after)]
        for (const { kind, line, text } of diff)
          expect((kind === 'removed' ? old : now)[line - 1]).toBe(text)
        expect(diff.some(({ kind }) => kind !== 'same')).toBe(before !== after)
      }),
    )
  })

  it('has three lines of context', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${String(index + 1)}\n`)
    const diff = lineDiff(lines.join(''), lines.with(9, 'x\n').join(''))
    expect(diff.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      ...['same 7', 'same 8', 'same 9'],
      ...['removed 10', 'added x'],
      ...['same 11', 'same 12', 'same 13'],
    ])
  })

  it('is all of both texts if they have too little in common', () => {
    const text = (word: string): string =>
      Array.from({ length: 3_000 }, (_, index) => `${word} ${String(index)}\nsame\n`).join('')
    const diff = lineDiff(text('old'), text('new'))
    expect(diff).toHaveLength(12_000)
    expect(diff.filter(({ kind }) => kind === 'same')).toEqual([])
  })
})
