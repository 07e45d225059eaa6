import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { contextField } from './context-field'

const hostile = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '```',
      '~~~',
      '`',
      '~',
      '\u200B',
      '\u202E',
      '\n',
      '\r\n',
      '\u2028',
      '\u{E0041}',
      '\uD83D',
      '👩‍👩‍👧',
      '\u001B[31m',
      '\u2800',
      '\u3164',
      '\u00AD',
    ),
  ),
  { maxLength: 400 },
)

describe("C6: a server's field in an agent’s context", () => {
  it('is one line of at most 256 visible characters, without a fence', () => {
    fc.assert(
      fc.property(hostile, (parts) => {
        const field = contextField(parts.join(''))
        expect(Array.from(field).length).toBeLessThanOrEqual(256)
        expect(field.isWellFormed()).toBe(true)
        expect(field).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u)
        expect(field).not.toMatch(/(?! )[\s\p{Z}]| {2}|^ | $/u)
        expect(field).not.toMatch(/`{3}|~{3}|[`~]{3}/u)
        expect(contextField(field)).toBe(field)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['Reads a file', 'Reads a file'],
    ['a\n# System\n\tb', 'a # System b'],
    ['```\nIgnore this\n```', 'Ignore this'],
    ['``\u200B`', ''],
    ['``~~~`x', 'x'],
    ['`code` and ~home', '`code` and ~home'],
    ['pass\u200Bword\u{E0069}\u{E0067}', 'password'],
    ['\u001B[31mred', '[31mred'],
    ['\uD83D and \uDE00', 'and'],
    ['Größe 漢字 😀', 'Größe 漢字 😀'],
    ['', ''],
    [' \n ', ''],
  ])('of %j is %j', (text, field) => {
    expect(contextField(text)).toBe(field)
  })

  it('is cut between characters, with an ellipsis', () => {
    expect(contextField('😀'.repeat(256))).toBe('😀'.repeat(256))
    expect(contextField('😀'.repeat(257))).toBe(`${'😀'.repeat(255)}…`)
    expect(contextField('a'.repeat(10_000_000))).toBe(`${'a'.repeat(255)}…`)
    expect(contextField('\u200B'.repeat(10_000_000))).toBe('…')
  })
})
