import { describe, expect, it } from 'vitest'

import { earlierWords } from './earlier-words'

describe('the words of an earlier version', () => {
  it('say what is other, and what going back still needs', () => {
    expect(earlierWords({ differs: [], asksAgain: false })).toBe('Runs as it does now.')
    expect(earlierWords({ differs: ['command', 'Token'], asksAgain: true })).toBe(
      'Differs in: command, Token. Its command has to be approved before it starts.',
    )
  })
})
