import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { retryAfterMs } from './remote-fetch'

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5)

describe('C10 Retry-After', () => {
  it('is a number of seconds', () => {
    expect(retryAfterMs(' 120 ', NOW)).toBe(120_000)
    expect(retryAfterMs('0', NOW)).toBe(0)
  })

  it('is a date, and no wait once that has passed', () => {
    expect(retryAfterMs('Fri, 02 Jan 2026 03:04:15 GMT', NOW)).toBe(10_000)
    expect(retryAfterMs('Thu, 01 Jan 2026 03:04:15 GMT', NOW)).toBe(0)
  })

  it('is nothing where it is missing or makes no sense', () => {
    for (const header of [null, '', '-1', '1.5', 'soon', '1e9', '99999999999', 'Fri, 99 Foo'])
      expect(retryAfterMs(header, NOW)).toBeUndefined()
  })

  it('never asks for less than no time, whatever it says', () => {
    fc.assert(fc.property(fc.string(), (header) => (retryAfterMs(header, NOW) ?? 0) >= 0))
  })
})
