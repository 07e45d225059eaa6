import { describe, expect, it } from 'vitest'

import { headlineText, tokenText } from './tools-page'

describe('C3: header of the Tools page', () => {
  it('counts the tools available to agents and those that need review', () => {
    expect(headlineText({ exposed: 1_064, needsReview: 3 })).toBe(
      '1,064 tools available to agents, 3 need review',
    )
    expect(headlineText({ exposed: 0, needsReview: 0 })).toBe('No tools available to agents')
  })

  it('shows the number of tokens once they are counted', () => {
    expect(tokenText({ exposed: 64, tokens: 9_300 })).toBe('≈ 9,300 tokens in every conversation.')
    expect(tokenText({ exposed: 64, tokens: undefined })).toMatch(/Counting/u)
    expect(tokenText({ exposed: 0, tokens: 0 })).toMatch(/^Tools of running servers/u)
  })
})
