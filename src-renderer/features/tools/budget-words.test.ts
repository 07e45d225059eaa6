import { describe, expect, it } from 'vitest'

import { headlineWords, limitsBelow, limitSentence, meterEnd, proofWords } from './budget-words'

describe('C3: the budget in words', () => {
  it('says first how many tools agents are shown and how many wait', () => {
    expect(headlineWords({ exposed: 64, held: 3 })).toBe('64 tools for agents, 3 held back')
    expect(headlineWords({ exposed: 1, held: 0 })).toBe('1 tool for agents')
    expect(headlineWords({ exposed: 0, held: 1 })).toBe('No tools for agents, 1 held back')
  })

  it('says what they take and what there is room for, and never claims tokens that are not counted', () => {
    const state = { exposed: 64, cap: 128, overCap: 0, tokens: 9_300 }
    expect(proofWords(state)).toBe(
      '≈ 9,300 tokens of every conversation. Room for 64 more below the cap of 128.',
    )
    expect(proofWords({ ...state, exposed: 128, overCap: 7, tokens: undefined })).toBe(
      'Their tokens are being counted. The cap of 128 leaves 7 more out.',
    )
    expect(proofWords({ ...state, exposed: 0, tokens: 0 })).toBe(
      'Room for 128 more below the cap of 128.',
    )
  })

  it('names the agents that take fewer, a limit itself being enough', () => {
    expect(limitsBelow(40)).toEqual([])
    expect(limitSentence(limitsBelow(81))).toBe(
      'Older Cursor takes 40, Antigravity 50, and Cursor 80. What is beyond may be left out or refused.',
    )
  })

  it('has an agent take exactly as many as its limit, and not one more', () => {
    const over = (exposed: number): string[] => limitsBelow(exposed).map(({ agent }) => agent)
    expect(over(128)).toEqual(['Older Cursor', 'Antigravity', 'Cursor', 'Windsurf'])
    expect(over(129)).toEqual([...over(128), 'VS Code Copilot'])
    expect(limitSentence(limitsBelow(129))).toContain('Windsurf 100, and VS Code Copilot 128.')
  })

  it('draws a scale that holds the tools, the limits, and the cap where that is near', () => {
    expect(meterEnd({ exposed: 3, cap: 128 })).toBe(128)
    expect(meterEnd({ exposed: 3, cap: 200 })).toBe(200)
    expect(meterEnd({ exposed: 3, cap: 10_000 })).toBe(128)
    expect(meterEnd({ exposed: 2_000, cap: 10_000 })).toBe(2_000)
  })
})
