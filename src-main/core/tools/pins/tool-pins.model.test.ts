import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ID, openPins, seen, tool } from '../../../../e2e/fixtures/pins-harness'
import type { Tool } from '../../../../src-shared/domain/agents/capability'

const NAMES = ['a', 'b', 'c']
const version = (name: string, number: number): Tool => tool(name, `Version v${String(number)}.`)

type Decision = { readonly approved?: string | undefined; readonly refused?: string | undefined }

const listing = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...NAMES), number: fc.integer({ min: 0, max: 2 }) }),
  { selector: ({ name }) => name, maxLength: 3 },
)
const step = fc.oneof(
  fc.record({ kind: fc.constant('list' as const), listing }),
  fc.record({
    kind: fc.constantFrom('approve' as const, 'reject' as const),
    name: fc.constantFrom(...NAMES),
    number: fc.integer({ min: 0, max: 2 }),
  }),
  fc.constant({ kind: 'restart' as const }),
)

describe('Trust in tools: any history', () => {
  it('approves only what was in the first listing or approved later, and never what was rejected after that', () => {
    fc.assert(
      fc.property(listing, fc.array(step, { maxLength: 25 }), (first, steps) => {
        const opened = openPins()
        const baseline = first.map(({ name, number }) => version(name, number))
        opened.pins.review(ID, [...baseline, tool('always')])
        let pins = opened.again()
        let listed = baseline
        const decided = new Map<string, Decision>(
          baseline.map((one) => [one.name, { approved: seen(one).hash }]),
        )
        for (const one of steps) {
          if (one.kind === 'restart') pins = opened.again()
          else if (one.kind === 'list')
            listed = one.listing.map(({ name, number }) => version(name, number))
          else {
            const asked = seen(version(one.name, one.number))
            const isCurrent = listed.some((now) => seen(now).hash === asked.hash)
            const before = decided.get(one.name) ?? {}
            const { approved } = before
            const { hash } = asked
            expect(pins.decide(ID, one.kind, [asked], listed)).toEqual(isCurrent ? [] : [one.name])
            if (isCurrent && one.kind === 'approve')
              decided.set(one.name, approved === hash ? before : { approved: hash })
            else if (isCurrent)
              decided.set(one.name, {
                approved: approved === hash ? undefined : approved,
                refused: hash,
              })
          }
          const expected = listed.map((now) => {
            const { approved, refused } = decided.get(now.name) ?? {}
            const { hash } = seen(now)
            if (refused === hash) return 'refused'
            if (approved === hash) return 'approved'
            return approved === undefined && refused === undefined ? 'new' : 'changed'
          })
          expect(pins.review(ID, listed).map(({ pinState }) => pinState)).toEqual(expected)
          const compared = listed.map(({ name }) => pins.approvedOf(ID, name)?.tool)
          expect(compared.map((before) => before && seen(before).hash)).toEqual(
            listed.map(({ name }) => decided.get(name)?.approved),
          )
        }
      }),
      { numRuns: 150 },
    )
  })
})
