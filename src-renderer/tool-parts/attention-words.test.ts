import { describe, expect, it } from 'vitest'

import { heldWords, leftOutWords } from './attention-words'

describe('C3, C4 what is said of tools that agents are not shown', () => {
  it('counts what waits for a decision, and says nothing where nothing does', () => {
    expect(heldWords({ held: 1 })).toBe('1 new or changed tool waits for your approval.')
    expect(heldWords({ held: 1_204 })).toBe('1,204 new or changed tools wait for your approval.')
    expect(heldWords({ held: 0 })).toBe('')
  })

  it('tells what no agent takes and what the cap has no room for', () => {
    expect(leftOutWords({ quarantined: 1, overCap: 3 }, 128)).toBe(
      '1 tool is quarantined: no agent takes it. 3 tools are over the cap of 128.',
    )
    expect(leftOutWords({ quarantined: 2, overCap: 0 }, 128)).toBe(
      '2 tools are quarantined: no agent takes them.',
    )
    expect(leftOutWords({ quarantined: 0, overCap: 0 }, 128)).toBe('')
  })
})
