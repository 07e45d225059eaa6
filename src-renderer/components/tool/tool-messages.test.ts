import { describe, expect, it } from 'vitest'

import {
  exposureMessage,
  naturesOf,
  quarantinedText,
  reviewText,
  tokensText,
  usesText,
  warningsBrief,
} from './tool-messages'

describe('messages about a tool', () => {
  it('mark an estimate, and claim none before it is known', () => {
    expect(tokensText(1_240)).toBe('≈ 1,240 tokens')
    expect(tokensText(1)).toBe('≈ 1 token')
    expect(tokensText(undefined)).toBe('Counting tokens')
    expect([usesText(0), usesText(1), usesText(1_200)]).toEqual([
      'No calls',
      '1 call',
      '1,200 calls',
    ])
  })

  it('name each kind of warning once', () => {
    const warning = { where: 'description', message: 'Look.' }
    expect(
      warningsBrief([
        { kind: 'invisible', ...warning },
        { kind: 'instruction', ...warning },
        { kind: 'invisible', ...warning },
      ]),
    ).toBe('Hidden characters, possible injection')
  })

  it("say why a tool is unavailable to agents, with main's reason if there is one", () => {
    expect(exposureMessage({ exposure: 'off', reason: 'The server is turned off.' })).toBe(
      'The server is turned off.',
    )
    expect(exposureMessage({ exposure: 'needsReview', change: 'changed' })).toBe(
      'Changed since you approved it. Not available to agents until you approve it.',
    )
  })

  it('name the behaviors that the server declares, or that it declares none', () => {
    expect(naturesOf(undefined)).toEqual(['other'])
    expect(naturesOf({ readOnlyHint: false, destructiveHint: false })).toEqual(['other'])
    expect(naturesOf({ readOnlyHint: true, destructiveHint: true })).toEqual(['readOnly'])
    expect(naturesOf({ destructiveHint: true, openWorldHint: true })).toEqual([
      'destructive',
      'openWorld',
    ])
  })
})

describe('C4: messages about tools unavailable to agents', () => {
  it('count the tools that wait for approval, and are empty if none do', () => {
    expect(reviewText({ needsReview: 1 })).toBe('1 new or changed tool needs review.')
    expect(reviewText({ needsReview: 1_204 })).toBe('1,204 new or changed tools need review.')
    expect(reviewText({ needsReview: 0 })).toBe('')
  })

  it('count the tools that no agent accepts', () => {
    expect(quarantinedText({ quarantined: 1 })).toBe(
      '1 tool quarantined and unavailable to agents.',
    )
    expect(quarantinedText({ quarantined: 2 })).toBe(
      '2 tools quarantined and unavailable to agents.',
    )
    expect(quarantinedText({ quarantined: 0 })).toBe('')
  })
})
