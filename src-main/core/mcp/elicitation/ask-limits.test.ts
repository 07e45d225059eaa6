import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { AskLimits, PERSON } from './ask-limits'

describe('Servers ask back: how much one server may ask', () => {
  it('is five at a time', () => {
    const limits = new AskLimits(PERSON, () => 0)
    const places = Array.from({ length: 5 }, () => limits.take())
    expect(places.every((place) => place !== undefined)).toBe(true)
    expect(limits.take()).toBeUndefined()
    places[2]?.[Symbol.dispose]()
    places[2]?.[Symbol.dispose]()
    expect([limits.take() !== undefined, limits.take()]).toEqual([true, undefined])
  })

  it('is never more than five at a time and thirty within a minute, however they come and end', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('ask'), ms: fc.nat(3_000) }),
      fc.record({ kind: fc.constant('end'), ms: fc.nat(3_000) }),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 200 }), (steps) => {
        let now = 0
        const limits = new AskLimits(PERSON, () => now)
        const open: Disposable[] = []
        const given: number[] = []
        for (const { kind, ms } of steps) {
          now += ms
          const recent = given.filter((at) => at > now - 60_000).length
          if (kind === 'end') open.shift()?.[Symbol.dispose]()
          else {
            const place = limits.take()
            expect(place !== undefined).toBe(open.length < 5 && recent < 30)
            if (place) {
              open.push(place)
              given.push(now)
            }
          }
        }
      }),
    )
  })
})
