import { expect, it } from 'vitest'

import { Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { writtenResult } from '../../mcp/json/result-text'
import type { NewCall } from '../audit/audit-call'
import { recorded } from './call-record'

const agent = Agent.parse({
  agentId: 'anna',
  name: 'Anna',
  createdAt: 0,
  keyHash: 'a'.repeat(64),
  keyTail: 'aaaa',
  profile: AgentProfile.parse({ keepsArguments: true }),
})

it('D6 the activity keeps a call that was made also where its arguments cannot be written', async () => {
  let deep: unknown = []
  for (let level = 0; level < 20_000; level += 1) deep = [deep]
  const kept: NewCall[] = []
  const audit = { record: (call: NewCall) => kept.push(call) }
  const call = {
    ...{ agent, method: 'tools/call', params: {}, name: 'dig', args: { deep }, path: [] },
    ...{ meta: undefined, options: {}, record: { target: 'dig' } },
  }
  const answer = writtenResult({})
  expect(await recorded(audit, call, () => Promise.resolve(answer))).toBe(answer)
  expect(kept).toMatchObject([{ outcome: 'ok', arguments: '(nested too deeply to store)' }])
})
