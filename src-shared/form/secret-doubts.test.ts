import { describe, expect, it } from 'vitest'

import { secretDoubts } from './secret-doubts'

describe('a secret as it was typed', () => {
  it.each([
    ['', []],
    ['sk-123456', []],
    ['two words', []],
    ['first line\nsecond line', []],
    [' sk-123456', ['It begins with a space, and is kept like this.']],
    ['sk-123456\t', ['It ends with a space, and is kept like this.']],
    ['sk-123456\r\n', ['It ends with a line break, and is kept like this.']],
    ['\nsk-1 ', ['It begins with a line break and ends with a space, and is kept like this.']],
    ['abc', ['With fewer than 4 characters it is not masked in the log.']],
    ['abcd', []],
    ['   ', ['It is nothing but spaces.']],
    [
      ' ab ',
      [
        'It begins with a space and ends with a space, and is kept like this.',
        'With fewer than 4 characters it is not masked in the log.',
      ],
    ],
  ])('%j is doubted for %j', (text, doubts) => {
    expect(secretDoubts(text)).toEqual(doubts)
  })
})
