import fc from 'fast-check'
import { expect, it } from 'vitest'

import { smallest } from './catalog-search'

it('The smallest of many numbers are what sorting them all puts first', () => {
  const numbers = fc.array(fc.integer({ min: -50, max: 5_000 }), { maxLength: 4_000, size: 'max' })
  fc.assert(
    fc.property(numbers, fc.integer({ min: 0, max: 200 }), (list, count) => {
      const sorted = list.toSorted((one, other) => one - other).slice(0, count)
      expect([...smallest(Float64Array.from(list), count)]).toEqual(sorted)
    }),
  )
})
