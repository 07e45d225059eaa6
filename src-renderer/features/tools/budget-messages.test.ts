import { describe, expect, it } from 'vitest'

import { headlineWords, tokenWords } from './tools-page'

describe('C3: header of the Tools page', () => {
  it('counts the tools available to agents and those that need review', () => {
    expect(headlineWords({ exposed: 1_064, held: 3 })).toBe(
      '1,064 tools available to agents, 3 need review',
    )
    expect(headlineWords({ exposed: 0, held: 0 })).toBe('No tools available to agents')
  })

  it('shows the number of tokens once they are counted', () => {
    expect(tokenWords({ exposed: 64, tokens: 9_300 })).toBe('≈ 9,300 tokens in every conversation.')
    expect(tokenWords({ exposed: 64, tokens: undefined })).toMatch(/Counting/u)
    expect(tokenWords({ exposed: 0, tokens: 0 })).toMatch(/^Tools of running servers/u)
  })
})
