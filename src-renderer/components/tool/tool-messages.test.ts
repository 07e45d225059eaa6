import { describe, expect, it } from 'vitest'

import {
  exposureMessage,
  heldWords,
  leftOutWords,
  naturesOf,
  tokensWords,
  usesWords,
  warningsBrief,
} from './tool-messages'

describe('a tool in words', () => {
  it('marks an estimate as one and claims none that is not there', () => {
    expect(tokensWords(1_240)).toBe('≈ 1,240 tokens')
    expect(tokensWords(1)).toBe('≈ 1 token')
    expect(tokensWords(undefined)).toBe('Counting tokens')
    expect([usesWords(0), usesWords(1), usesWords(1_200)]).toEqual([
      'No calls',
      '1 call',
      '1,200 calls',
    ])
  })

  it('names each kind of doubt once', () => {
    const warning = { where: 'description', message: 'Look.' }
    expect(
      warningsBrief([
        { kind: 'invisible', ...warning },
        { kind: 'instruction', ...warning },
        { kind: 'invisible', ...warning },
      ]),
    ).toBe('Hidden characters, possible injection')
  })

  it('says why agents are not shown it, in main’s words where main gives them', () => {
    expect(exposureMessage({ exposure: 'off', reason: 'The server is turned off.' })).toBe(
      'The server is turned off.',
    )
    expect(exposureMessage({ exposure: 'held', change: 'changed' })).toBe(
      'Changed since you approved it. Not available to agents until you approve it.',
    )
  })

  it('takes from the annotations what the server says, and that it says nothing', () => {
    expect(naturesOf(undefined)).toEqual(['other'])
    expect(naturesOf({ readOnlyHint: false, destructiveHint: false })).toEqual(['other'])
    expect(naturesOf({ readOnlyHint: true, destructiveHint: true })).toEqual(['readOnly'])
    expect(naturesOf({ destructiveHint: true, openWorldHint: true })).toEqual([
      'destructive',
      'openWorld',
    ])
  })
})

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
