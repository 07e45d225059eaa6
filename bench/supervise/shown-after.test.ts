import { describe, expect, it } from 'vitest'

import { shownAfter } from './shown-after'

const at = (kind: string, ms: number): { kind: string; at: number } => ({ kind, at: ms })

describe('the time until the page shows a status', () => {
  it('runs from the change to the moment it was seen', () => {
    const changes = [at('stopping', 100), at('stopped', 120), at('ready', 300)]
    const sights = [at('stopping', 104), at('stopped', 121), at('ready', 309)]
    expect(shownAfter(changes, sights)).toEqual([4, 1, 9])
  })

  it('counts a status that was passed over until the next one that was seen', () => {
    const changes = [at('stopping', 100), at('stopped', 120), at('starting', 121)]
    expect(shownAfter(changes, [at('starting', 130)])).toEqual([30, 10, 9])
  })

  it('takes what was shown before the first change for what it is', () => {
    expect(shownAfter([at('stopping', 100)], [at('ready', 90), at('stopping', 105)])).toEqual([5])
  })

  it('is none where the page stays behind', () => {
    expect(() => shownAfter([at('ready', 1), at('error', 2)], [at('ready', 1)])).toThrow('error')
  })
})
