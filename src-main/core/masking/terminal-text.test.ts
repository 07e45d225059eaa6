import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cpuMsOf } from '../../../e2e/fixtures/cpu-time'
import { textStyles } from '../log/log-receiver'
import { plainText, readTerminalText } from './redact'

const styled = (raw: string): [string, object[]] => {
  const { text, colours } = readTerminalText(raw)
  return [text, textStyles(text, colours)]
}

describe('B1: terminal sequences', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[m', 'red'],
    ['cursor movements', 'a\u001b[2K\u001b[1Gb\u001b[?25lc', 'abc'],
    ['titles', '\u001b]0;my title\u0007x', 'x'],
    ['links, except their text', '\u001b]8;;http://x/\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['device strings', 'a\u001bP1$r0m\u001b\\b', 'ab'],
    ['character sets', '\u001b(Bx\u001b7y', 'xy'],
    ['the one-byte forms', '\u009b31mx\u009d0;t\u009cy', 'xy'],
    ['bells and backspaces, but no tabs', 'a\u0007b\u0008\tc', 'ab\tc'],
  ])('are removed from a text: %s', (_what, raw, text) => {
    expect(plainText(raw)).toBe(text)
  })

  it('hide no text if they have no end', () => {
    expect(plainText('\u001b]0;to be read')).toBe(']0;to be read')
    expect(plainText('\u001b[31')).toBe('[31')
    expect(plainText(`\u001b]0;${'x'.repeat(5_000)}\u0007y`)).toHaveLength(5_004)
  })

  it('are removed with the same result for any cuts', () => {
    const part = fc.constantFrom('a', '\t', ' ', '\u001b', '[', '3', ';', 'm', ']', '\u0007', '\\')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.nat(40)), (parts, cuts) => {
        const raw = parts.join('')
        let text = ''
        let held = ''
        let from = 0
        for (const cut of [...cuts.sort((a, b) => a - b), raw.length]) {
          const read = readTerminalText(held + raw.slice(from, cut), true)
          text += read.text
          held = read.held
          from = Math.max(from, cut)
        }
        expect(text + readTerminalText(held).text).toBe(plainText(raw))
      }),
    )
  })

  it('are removed in linear time from any text', () => {
    for (const part of ['\u001b]', '\u001b[', '\u009d', '\u001b[1;', '\u001bP\u001b']) {
      const raw = part.repeat(100_000)
      expect(cpuMsOf(() => plainText(raw))).toBeLessThan(2_000)
    }
  })
})

describe('B1: the colors of a line', () => {
  it('are ranges in the plain text', () => {
    const [text, styles] = styled('a \u001b[1;31mred\u001b[0m b \u001b[4;36mcyan')
    expect(text).toBe('a red b cyan')
    expect(styles).toEqual([
      { start: 2, end: 5, color: 'red', bold: true },
      { start: 8, end: 12, color: 'cyan', underline: true },
    ])
  })

  it.each([
    ['an empty code resets', '\u001b[32ma\u001b[mb', [{ start: 0, end: 1, color: 'green' }]],
    [
      'bright colors are kept',
      '\u001b[94;101ma',
      [{ start: 0, end: 1, color: 'brightBlue', background: 'brightRed' }],
    ],
    [
      '256 colors become one of 16',
      '\u001b[38;5;196ma\u001b[38;5;22mb',
      [
        { start: 0, end: 1, color: 'brightRed' },
        { start: 1, end: 2, color: 'black' },
      ],
    ],
    [
      'true colors become one of 16',
      '\u001b[38;2;60;90;240ma',
      [{ start: 0, end: 1, color: 'brightBlue' }],
    ],
    ['inverse colors are swapped', '\u001b[31;7ma', [{ start: 0, end: 1, background: 'red' }]],
    ['concealed text is plain', '\u001b[8ma', []],
    ['unknown forms are plain', '\u001b[38:2::1:2:3ma\u001b[>4;2mb', []],
    ['numbers beyond the table are ignored', '\u001b[38;5;999ma', []],
  ])('follow the rule: %s', (_what, raw, styles) => {
    expect(styled(raw)[1]).toEqual(styles)
  })

  it('are limited in number, ordered, and within the text', () => {
    const code = fc.array(fc.integer({ min: 0, max: 110 }), { maxLength: 4 })
    const piece = fc.tuple(code, fc.string({ maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const raw = pieces.map(([codes, text]) => `\u001b[${codes.join(';')}m${text}`).join('')
        const { text, colours } = readTerminalText(raw)
        let last = 0
        for (const { start, end } of textStyles(text, colours)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          last = end
        }
      }),
    )
    expect(styled('\u001b[31ma\u001b[32mb'.repeat(1_000))[1]).toHaveLength(200)
  })
})
