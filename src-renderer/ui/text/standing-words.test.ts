import { describe, expect, it } from 'vitest'

import { standingWords } from './standing-words'

describe('D2 what a registry has against an entry, in words', () => {
  it('says for each standing what happened and what to do, and ends with the words of the registry', () => {
    const all = (['deleted', 'unlisted', 'deprecated'] as const).map((status) =>
      standingWords({ status }),
    )
    expect(all.map(({ title }) => title)).toEqual([
      'The registry took its entry down.',
      'The registry no longer lists it.',
      'Its publisher no longer maintains it.',
    ])
    for (const { text } of all) expect(text).toMatch(/^[A-Z].*\.$/u)
    const { text } = standingWords({ status: 'deprecated', statusMessage: 'Use the other.' })
    expect(text).toBe(
      'It goes on working; nobody mends what is found in it. It says: “Use the other.”',
    )
  })
})
