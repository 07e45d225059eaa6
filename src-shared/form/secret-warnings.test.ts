import { describe, expect, it } from 'vitest'

import { secretWarnings } from './secret-warnings'

describe('warnings about a typed secret', () => {
  it.each([
    ['', []],
    ['sk-123456', []],
    ['two words', []],
    ['first line\nsecond line', []],
    [' sk-123456', ['The value begins with a space. Patchbay keeps it as typed.']],
    ['sk-123456\t', ['The value ends with a space. Patchbay keeps it as typed.']],
    ['sk-123456\r\n', ['The value ends with a line break. Patchbay keeps it as typed.']],
    [
      '\nsk-1 ',
      ['The value begins with a line break and ends with a space. Patchbay keeps it as typed.'],
    ],
    ['abc', ['Values with fewer than 4 characters aren’t masked in the log.']],
    ['abcd', []],
    ['   ', ['The value contains only spaces.']],
    [
      ' ab ',
      [
        'The value begins with a space and ends with a space. Patchbay keeps it as typed.',
        'Values with fewer than 4 characters aren’t masked in the log.',
      ],
    ],
  ])('for %j are %j', (text, securityWarnings) => {
    expect(secretWarnings(text)).toEqual(securityWarnings)
  })
})
