import { describe, expect, it } from 'vitest'

import { heldWords, leftOutWords } from './attention-words'

describe('C4 what is said of tools that agents are not shown', () => {
  it('counts what waits for a decision, and says nothing where nothing does', () => {
    expect(heldWords({ held: 1 })).toBe('1 new or changed tool waits for your approval.')
    expect(heldWords({ held: 1_204 })).toBe('1,204 new or changed tools wait for your approval.')
    expect(heldWords({ held: 0 })).toBe('')
  })

  it('counts the tools that no agent takes', () => {
    expect(leftOutWords({ quarantined: 1 })).toBe('1 tool is quarantined: no agent takes it.')
    expect(leftOutWords({ quarantined: 2 })).toBe('2 tools are quarantined: no agent takes them.')
    expect(leftOutWords({ quarantined: 0 })).toBe('')
  })
})
