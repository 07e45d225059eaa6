import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { countNewlines, countOneByOne } from './count-newlines'

describe('B1 the newlines of a flood', () => {
  it('are as many as there are when they are looked for one by one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, max: 12 }), (bytes) => {
        expect(countNewlines(bytes)).toBe(countOneByOne(bytes))
      }),
    )
  })

  it('are counted across the pages, and when there is nothing else', () => {
    for (const length of [0, 4_079, 4_080, 4_081, 65_536, 65_537, 200_001]) {
      expect(countNewlines(new Uint8Array(length).fill(10))).toBe(length)
      expect(countNewlines(new Uint8Array(length).fill(11))).toBe(0)
    }
  })
})
