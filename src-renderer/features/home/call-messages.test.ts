import { describe, expect, it } from 'vitest'

import { chartText, outcomeText, sumOf } from './home-side'

describe('Home sidebar', () => {
  it('says how many calls were made and how many failed', () => {
    const from = new Date(2026, 1, 3, 10, 0).getTime()
    const steps = [
      { calls: 2, failed: 0 },
      { calls: 9, failed: 1 },
    ]
    const counts = { from, stepMs: 1_800_000, steps }
    expect(sumOf(counts)).toEqual({ calls: 11, failed: 1 })
    expect(chartText(counts)).toBe('Calls per half hour: 2 to 9, most at 10:30 AM.')
    expect(outcomeText({ calls: 11, failed: 1 })).toBe('1 call failed.')
    expect(outcomeText({ calls: 11, failed: 0 })).toBe('All calls succeeded.')
    expect(outcomeText({ calls: 0, failed: 0 })).toMatch(/appear here/u)
  })
})
