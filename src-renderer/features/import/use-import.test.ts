import { expect, it } from 'vitest'

import { type ImportDraft } from './found-rows'
import { decidedAlso } from './use-import'

it('C7 keeps both of two decisions, also where the first was answered after the second was made', () => {
  const draft: ImportDraft = { ticks: new Map(), counting: new Map(), decided: new Map() }
  const first = decidedAlso(draft, 'one', 'withoutTerminal')
  const both = decidedAlso(first, 'two', 'withoutTerminal')
  expect([...both.decided].map(([key, { withoutTerminal }]) => [key, withoutTerminal])).toEqual([
    ['one', true],
    ['two', true],
  ])
  expect(decidedAlso(both, 'one', 'withoutTerminal').decided.size).toBe(2)
})
