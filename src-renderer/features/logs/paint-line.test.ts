import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import type { LogEntry, TextStyle } from '../../../src-shared/domain/running/log-entry'
import type { LogHit } from '../../../src-shared/domain/running/log-query'
import { LogGap, LogLine, paintLine, styleClasses } from './log-line'

const brief = (text: string, styles: TextStyle[], hits: LogHit[] = []): unknown[] =>
  paintLine({ text, styles }, hits).map((piece) => [
    piece.text,
    piece.hit ? 'hit' : (piece.style?.color ?? null),
  ])

describe('B1: colored line', () => {
  it('is split where its color changes', () => {
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

  it('shows matches of the search across its colors', () => {
    expect(brief('abcdefg', [{ start: 2, end: 5, color: 'red' }], [{ start: 1, end: 4 }])).toEqual([
      ['a', null],
      ['bcd', 'hit'],
      ['e', 'red'],
      ['fg', null],
    ])
  })

  it('loses no text, whatever its ranges are', () => {
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

  it('has the normal text color on any background, and dim text keeps its color', () => {
    const all = { start: 0, end: 1 }
    expect(styleClasses({ ...all, color: 'black', background: 'black', bold: true })).toEqual([
      'term-ground',
      'bg-press',
      'font-strong',
    ])
    expect(styleClasses({ ...all, background: 'brightGreen' })).toEqual([
      'term-ground',
      'tint',
      'is-ready',
    ])
    expect(styleClasses({ ...all, color: 'red', dim: true })).toEqual(['text-status', 'is-error'])
    expect(styleClasses({ ...all, dim: true, italic: true, underline: true })).toEqual([
      'text-muted',
      'italic',
      'term-underline',
    ])
  })
})

const drawn = (part: Partial<LogEntry>, hits: LogHit[] = [], from?: string): string => {
  const entry: LogEntry = { seq: 0, at: 0, source: 'patchbay', level: 'info', text: 'x', ...part }
  const row = { row: 0, server: 1, missing: 0, entry, hits }
  return renderToStaticMarkup(createElement(LogLine, { row, isCurrent: false, from }))
}

describe('D4: line of a log', () => {
  it("is a marker if it reports a server's status, and is searchable like any other", () => {
    expect(drawn({ text: 'Start 3' })).toMatch(/^<div class="lv-mark [^"]*"><svg.*Start 3/)
    expect(drawn({ text: 'Ready with 2 tools' }, [{ start: 13, end: 18 }])).toContain(
      '<mark class="hit">tools',
    )
    expect(drawn({ source: 'stderr', text: 'Start 3' })).toMatch(/^<div class="line [^"]*lv-info"/)
    expect(drawn({ level: 'error', text: 'It ended.' })).toMatch(/^<div class="line [^"]*lv-error"/)
  })

  it("shows the server's colors as theme colors, and whether it continues", () => {
    const styles = [{ start: 0, end: 2, color: 'red' as const, bold: true as const }]
    expect(drawn({ source: 'stderr', text: 'no way', styles })).toContain(
      '<span class="text-status is-error font-strong">no</span> way',
    )
    expect(drawn({ source: 'stderr', text: 'x', continues: true })).toContain('continues below')
    expect(drawn({ source: 'stderr', text: 'x' })).not.toContain('continues')
  })

  it('names its server if lines of several are mixed', () => {
    expect(drawn({ source: 'stderr' }, [], 'Files')).toContain('title="Files">Files</span>')
    expect(drawn({ text: 'Start 3' }, [], 'Files')).toContain('Files</span>')
    expect(drawn({ source: 'stderr' })).not.toContain('class="from')
  })

  it('shows how many lines before it are missing', () => {
    const gap = (count: number, atTop: boolean): string =>
      renderToStaticMarkup(createElement(LogGap, { count, atTop }))
    expect(gap(1204, true)).toContain('1,204 earlier lines no longer available')
    expect(gap(1, false)).toContain('1 line no longer available')
  })
})
