import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { argumentLines, argumentRows, escapeInvisible } from './argument-rows'

const BOUNDS = { lines: 30, characters: 3_000 }

/** Each row as one text, with folded or omitted parts in brackets. */
function read(args: unknown): string[] {
  return argumentRows(args).map(({ row: { name, value, kind, more } }) => {
    const parts = value.map((part) =>
      typeof part === 'string' ? part : `[${part.count} ${part.fold}]`,
    )
    const quote = kind === 'quoted' ? '"' : ''
    return `${name}: ${quote}${parts.join('')}${quote}${more > 0 ? ` [+${more}]` : ''}`
  })
}

describe('E6: arguments of a call that waits for approval', () => {
  it('have one row each, with texts unquoted unless they read as another value', () => {
    const args = {
      path: 'a\nb',
      count: 3,
      text: '3',
      flag: 'true',
      none: '',
      space: ' a',
      on: null,
    }
    expect(read({ ...args, list: '[1]', deep: { x: [1] } })).toEqual([
      'path: a\nb',
      'count: 3',
      'text: "3"',
      'flag: "true"',
      'none: ""',
      'space: " a"',
      'on: null',
      'list: "[1]"',
      'deep: {"x":[1]}',
    ])
    expect(read({})).toEqual([])
  })

  it('show the digits that are sent', () => {
    const { rawJSON: raw } = JSON as unknown as { rawJSON: (text: string) => unknown }
    const id = raw('12345678901234567992')
    const near = raw('0.10000000000000000555')
    expect(read({ id, huge: raw('1e400'), near, in: [raw('1.0')] })).toEqual([
      'id: 12345678901234567992',
      'huge: 1e400',
      'near: 0.10000000000000000555',
      'in: [1.0]',
    ])
  })

  it('cannot hide another argument behind line breaks, spaces, combining marks or a long value', () => {
    const args = {
      breaks: `a${'\n'.repeat(500)}b`,
      mixed: `a${' \r\n'.repeat(40)}b`,
      spaces: `a${'\u3000'.repeat(900)}b`,
      marks: `e${'\u0301'.repeat(3_000)}!`,
      long: 'x'.repeat(30_000),
      lines: `${'x\n'.repeat(3_000)}x`,
      amount: 5,
    }
    expect(read(args)).toEqual([
      'breaks: a[500 line break]b',
      'mixed: a[40 space][40 line break]b',
      'spaces: a[900 space]b',
      'marks: e\u0301\u0301\u0301[2997 combining mark]!',
      `long: ${'x'.repeat(240)} [+29760]`,
      `lines: ${'x\n'.repeat(6)} [+5989]`,
      'amount: 5',
    ])
  })

  it('show nested values after a long one', () => {
    const junk = 'x'.repeat(30_000)
    const pays = [{ junk, amount: 5, 'pay ee': 'Mallory' }]
    expect(read({ order: { junk, pays } }).map((row) => row.slice(0, 30))).toEqual([
      `order.junk: ${'x'.repeat(18)}`,
      `order.pays[0].junk: ${'x'.repeat(10)}`,
      'order.pays[0].amount: 5',
      'order.pays[0]["pay ee"]: Mallo',
    ])
    const many = Object.fromEntries(Array.from({ length: 190 }, (_, n) => [`k${n}`, junk]))
    const rows = read({ many, pays })
    expect(rows).toContain('pays[0].amount: 5')
    expect(rows.length).toBeLessThan(250)
  })

  it('are bounded in number and size, whatever is sent', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (args) => {
        const rows = argumentRows(args)
        expect(rows.length).toBeLessThanOrEqual(701)
        for (const {
          row: { name, value },
        } of rows) {
          const shown = value.map((part) => (typeof part === 'string' ? part : '')).join('')
          expect(name.length + shown.length).toBeLessThan(1_000)
        }
        for (const name of Object.keys(args)
          .slice(0, 500)
          .filter((key) => /^\w{1,20}$/u.test(key)))
          expect(rows.some(({ row }) => row.name.startsWith(name))).toBe(true)
      }),
    )
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`key${n}`, n]))
    const last = argumentRows(many).at(-1)
    expect(last).toMatchObject({ row: { name: '1500 more arguments' } })
    expect(last?.whole()).toContain('"key1999":1999')
    expect(argumentRows({ ['k'.repeat(30_000)]: 1 })[0]).toMatchObject({ row: { more: 29_900 } })
  })

  it('are complete when opened, with invisible characters written as codes', () => {
    const hidden = `a\u202Eb\u{E0041}\u200Dc\u2800\u00A0${'x'.repeat(300)}e${'\u0301'.repeat(5)}`
    const [row] = argumentRows({ text: hidden })
    expect(row?.row.value[0]).toContain('a<U+202E>b<U+E0041><U+200D>c<U+2800><U+00A0>x')
    expect(row?.whole()).toBe(
      `a<U+202E>b<U+E0041><U+200D>c<U+2800><U+00A0>${'x'.repeat(300)}e\u0301\u0301\u0301<U+0301><U+0301>`,
    )
    expect(escapeInvisible('tab\tand\nline, é')).toBe('tab\tand\nline, é')
  })

  it('become plain lines for an app only if the lines show all of them', () => {
    const lines = (args: unknown): string | undefined =>
      argumentLines(
        argumentRows(args).map(({ row }) => row),
        BOUNDS,
      )
    expect(lines({ note: 'x\namount: 5', count: '5', n: 1, to: 'a\u202eb' })).toBe(
      ['note: "x\\namount: 5"', 'count: "5"', 'n: 1', 'to: "a<U+202E>b"'].join('\n'),
    )
    expect(lines({ text: `a${'\n'.repeat(500)}b` })).toBe('text: "a<500 line breaks>b"')
    expect(lines({ text: 'x'.repeat(300) })).toBeUndefined()
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`k${n}`, n]))
    expect(lines(many)).toBeUndefined()
  })
})
