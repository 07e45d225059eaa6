import { expect, it } from 'vitest'

import { Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { writtenResult } from '../../mcp/json/result-text'
import type { NewCall } from '../audit/audit-call'
import { CallRecorder } from './call-record'

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
  const recorder = new CallRecorder({ record: (call) => kept.push(call) })
  const note = { agent, method: 'tools/call', target: 'dig', args: { deep } }
  const answer = writtenResult({})
  expect(await recorder.over(note, () => Promise.resolve(answer))).toBe(answer)
  expect(kept).toMatchObject([{ outcome: 'ok', arguments: '(nested too deeply to store)' }])
})
