import { expect, it } from 'vitest'

import { AgentProfile } from '../../../src-shared/domain/agents/agent'
import { type Pending, resolvePending } from './use-profile'

it("D6: the second of two quick changes stays visible until main's state contains it", () => {
  const first = AgentProfile.parse({ toolCap: 10 })
  const second = AgentProfile.parse({ toolCap: 20 })
  const pending: Pending = { profile: second, over: 'before', isSending: true }
  // By now the state contains the first change, whose response says nothing about the second.
  expect(resolvePending(pending, first, { outcome: 'done', over: 'first' })).toBe(pending)
  const kept = resolvePending(pending, second, { outcome: 'done', over: 'first' })
  expect(kept).toEqual({ profile: second, over: 'first', isSending: false })
  expect(resolvePending(kept, second, { outcome: 'failed', over: 'first' })).toBeNull()
})
