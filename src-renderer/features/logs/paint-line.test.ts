import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { TextStyle } from '../../../src-shared/domain/running/log-entry'
import type { LogHit } from '../../../src-shared/domain/running/log-query'
import { paintLine, styleClasses } from './log-line'

const brief = (text: string, styles: TextStyle[], hits: LogHit[] = []): unknown[] =>
  paintLine({ text, styles }, hits).map((piece) => [
    piece.text,
    piece.hit ? 'hit' : (piece.style?.color ?? null),
  ])

describe('B1 a coloured line', () => {
  it('is cut where its colours change', () => {
    const styles: TextStyle[] = [
      { start: 2, end: 4, color: 'red' },
      { start: 4, end: 5, color: 'green' },
    ]
    expect(brief('abcdefg', styles)).toEqual([
      ['ab', null],
      ['cd', 'red'],
      ['e', 'green'],
      ['fg', null],
    ])
  })

  it('shows what was searched for as a match, across its colours', () => {
    expect(brief('abcdefg', [{ start: 2, end: 5, color: 'red' }], [{ start: 1, end: 4 }])).toEqual([
      ['a', null],
      ['bcd', 'hit'],
      ['e', 'red'],
      ['fg', null],
    ])
  })

  it('loses nothing, whatever its ranges are', () => {
    const range = fc.record({
      start: fc.nat(30),
      end: fc.nat(40),
      color: fc.constantFrom('red' as const, 'blue' as const),
    })
    fc.assert(
      fc.property(
        fc.string({ maxLength: 30 }),
        fc.array(range),
        fc.array(range),
        (text, styles, hits) => {
          const pieces = paintLine({ text, styles }, hits)
          expect(pieces.map((piece) => piece.text).join('')).toBe(text)
          let at = 0
          for (const piece of pieces) {
            expect(piece.start).toBe(at)
            at += piece.text.length
          }
        },
      ),
    )
  })

  it('has the ordinary ink on any ground, and is never fainter than its colour', () => {
    const all = { start: 0, end: 1 }
    expect(styleClasses({ ...all, color: 'black', background: 'black', bold: true })).toEqual([
      'term-ground',
      'pressed',
      'term-bold',
    ])
    expect(styleClasses({ ...all, background: 'brightGreen' })).toEqual([
      'term-ground',
      'tint',
      'is-ready',
    ])
    expect(styleClasses({ ...all, color: 'red', dim: true })).toEqual(['tone', 'is-error'])
    expect(styleClasses({ ...all, dim: true, italic: true, underline: true })).toEqual([
      'soft',
      'term-italic',
      'term-underline',
    ])
  })
})
