import { describe, expect, it } from 'vitest'

import { budgetParts, budgetWords, chartWords, outcomeWords, sumOf } from './home-side'

describe('the side of Home', () => {
  it('says how many calls there were and how many failed', () => {
    const from = new Date(2026, 1, 3, 10, 0).getTime()
    const steps = [
      { calls: 2, failed: 0 },
      { calls: 9, failed: 1 },
    ]
    const counts = { from, stepMs: 1_800_000, steps }
    expect(sumOf(counts)).toEqual({ calls: 11, failed: 1 })
    expect(chartWords(counts)).toBe('Calls per half hour: 2 to 9, most at 10:30 AM.')
    expect(outcomeWords({ calls: 11, failed: 1 })).toBe('1 call failed.')
    expect(outcomeWords({ calls: 11, failed: 0 })).toBe('All calls succeeded.')
    expect(outcomeWords({ calls: 0, failed: 0 })).toMatch(/appear here/u)
  })

  it('names who has most of the tools, and counts the others together', () => {
    const server = (installationId: string, exposed: number) => ({ installationId, exposed })
    const servers = [
      server('a', 3),
      server('b', 22),
      server('c', 14),
      server('d', 5),
      server('e', 0),
    ]
    const names = new Map(['a', 'b', 'c', 'd', 'e'].map((id) => [id, id.toUpperCase()]))
    const parts = budgetParts({ servers } as Parameters<typeof budgetParts>[0], names)
    expect(budgetWords({ exposed: 44, tokens: 10_400 }, parts)).toBe(
      'B 22, C 14, others 8. About 10,400 tokens in every conversation.',
    )
    expect(budgetWords({ exposed: 0, tokens: 0 }, [])).toBe(
      'Tools available to agents appear here.',
    )
  })
})
