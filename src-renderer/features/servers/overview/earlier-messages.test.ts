import { describe, expect, it } from 'vitest'

import { earlierWords } from './earlier-messages'

describe('the words of an earlier version', () => {
  it('say what is other, and what going back still needs', () => {
    expect(earlierWords({ differs: [], asksAgain: false })).toBe('Same configuration as now.')
    expect(earlierWords({ differs: ['command', 'Token'], asksAgain: true })).toBe(
      'Different: command, Token. Approve the command before the server starts.',
    )
  })
})
