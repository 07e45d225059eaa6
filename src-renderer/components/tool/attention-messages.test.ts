import { describe, expect, it } from 'vitest'

import { heldWords, leftOutWords } from './tool-messages'

describe('C4 what is said of tools that agents are not shown', () => {
  it('counts what waits for a decision, and says nothing where nothing does', () => {
    expect(heldWords({ held: 1 })).toBe('1 new or changed tool needs review.')
    expect(heldWords({ held: 1_204 })).toBe('1,204 new or changed tools need review.')
    expect(heldWords({ held: 0 })).toBe('')
  })

  it('counts the tools that no agent takes', () => {
    expect(leftOutWords({ quarantined: 1 })).toBe('1 tool quarantined and unavailable to agents.')
    expect(leftOutWords({ quarantined: 2 })).toBe('2 tools quarantined and unavailable to agents.')
    expect(leftOutWords({ quarantined: 0 })).toBe('')
  })
})
