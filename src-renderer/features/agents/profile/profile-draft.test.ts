import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { checkedProfile, draftOf, isSameDraft } from './profile-draft'

const STANDARD = draftOf({ name: 'Cursor', profile: AgentProfile.parse({}) })

const PROFILE = fc.record({
  servers: fc.constant<AgentProfile['servers']>({
    kind: 'list',
    list: [{ installationId: 'a', choice: { kind: 'list', names: ['x'] } }],
  }),
  toolCap: fc.integer({ min: 1, max: 10_000 }),
  naming: fc.constantFrom('prefixed' as const, 'plain' as const),
  searchMode: fc.boolean(),
  confirm: fc.constantFrom('never' as const, 'destructive' as const, 'always' as const),
  keepsArguments: fc.boolean(),
})

describe('D6: an agent’s profile while it is edited', () => {
  it('is what it was until something is typed', () => {
    fc.assert(
      fc.property(PROFILE, fc.option(fc.integer({ min: 1, max: 10_000 })), (part, limit) => {
        const profile = AgentProfile.parse({ ...part, ...(limit !== null && { appLimit: limit }) })
        const draft = draftOf({ name: 'Zed', profile })
        expect(checkedProfile(draft, ['a'])).toEqual({ name: 'Zed', profile })
        expect(isSameDraft(draft, draftOf({ name: 'Zed', profile: { ...profile } }))).toBe(true)
        expect(isSameDraft(draft, { ...draft, searchMode: !draft.searchMode })).toBe(false)
      }),
    )
  })

  it('says at its field what is no number of tools, and takes no limit for none', () => {
    for (const toolCap of ['', '0', '10001', '1.5', '-3', '0x10', 'many'])
      expect(checkedProfile({ ...STANDARD, toolCap }, [])).toEqual({
        problems: { toolCap: 'Enter a whole number from 1 to 10000.' },
      })
    expect(checkedProfile({ ...STANDARD, appLimit: 'x', name: ' ' }, []).problems).toEqual({
      name: 'Give the agent a name.',
      appLimit: 'Enter a whole number from 1 to 10000, or nothing.',
    })
    expect(checkedProfile({ ...STANDARD, appLimit: ' ' }, []).profile).not.toHaveProperty(
      'appLimit',
    )
  })

  it('keeps no server that was removed', () => {
    const choice = { kind: 'all' } as const
    const list = ['a', 'gone'].map((installationId) => ({ installationId, choice }))
    const checked = checkedProfile({ ...STANDARD, servers: { kind: 'list', list } }, ['a', 'b'])
    expect(checked.profile?.servers).toEqual({
      kind: 'list',
      list: [{ installationId: 'a', choice }],
    })
  })
})
