import { expect, it } from 'vitest'

import { AgentProfile } from '../../../src-shared/domain/agents/agent'
import { answered, type Pending } from './use-profile'

it('D6 keeps the second of two quick changes in view until the state of main has it', () => {
  const first = AgentProfile.parse({ toolCap: 10 })
  const second = AgentProfile.parse({ toolCap: 20 })
  const pending: Pending = { profile: second, over: 'before', isSending: true }
  // The state has the first change by now, and its answer says nothing about the second.
  expect(answered(pending, first, { outcome: 'done', over: 'first' })).toBe(pending)
  const kept = answered(pending, second, { outcome: 'done', over: 'first' })
  expect(kept).toEqual({ profile: second, over: 'first', isSending: false })
  expect(answered(kept, second, { outcome: 'failed', over: 'first' })).toBeNull()
})
