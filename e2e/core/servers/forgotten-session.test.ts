import { afterEach, describe, expect, it } from 'vitest'

import { AgentProfile } from '../../../src-shared/domain/agents/agent'
import { callsOn } from '../../fixtures/agent-calls-harness'
import { freePort } from '../../fixtures/free-port'
import { type Harness, Harnesses } from '../../fixtures/harness'
import { OlderRemote, status } from '../../fixtures/older-remote'
import { POLL } from '../../fixtures/tools-harness'

const harnesses = new Harnesses()
let stack: AsyncDisposableStack | undefined
afterEach(async () => {
  await harnesses.closeAll()
  await stack?.disposeAsync()
})

/** A ready remote server, and a call of an agent to its tool. */
async function open(): Promise<{
  harness: Harness
  id: string
  remote: OlderRemote
  call: () => Promise<unknown>
}> {
  stack = new AsyncDisposableStack()
  const remote = stack.use(await OlderRemote.open())
  const harness = await harnesses.openWith({ gatewayPort: await freePort(), startsAgain: false })
  const id = await harness.install(
    {
      name: 'test/forgetful',
      description: 'Forgets its sessions.',
      version: '1.0.0',
      remotes: [{ type: 'streamable-http', url: remote.url.href }],
    },
    { name: 'one', offer: { kind: 'remote', index: 0 } },
  )
  await expect.poll(async () => (await harness.view(id)).status.kind, POLL).toBe('ready')
  const { gateway } = harness.patchbay
  const { agentId } = await harness.call('agent.add', {
    name: 'Anna',
    profile: AgentProfile.parse({}),
  })
  const agent = gateway.agents.find(agentId)
  if (!agent) throw new Error('The agent is missing.')
  const call = () => callsOn(harness).call({ agent, name: 'one__tool', args: {} })
  return { harness, id, remote, call }
}

describe('F3 a call in a session that the server has forgotten', () => {
  it('is sent again once in a new session, so that the agent sees an ordinary answer', async () => {
    const { harness, id, remote, call } = await open()
    remote.answers['tools/call'] = (response, asked) => {
      delete remote.answers['tools/call']
      status(400, 'Bad Request: No valid session ID provided')(response, asked)
    }
    expect(await call()).toMatchObject({ result: { content: [] } })
    expect([remote.count('tools/call'), remote.count('initialize')]).toEqual([2, 2])
    expect((await harness.view(id)).status.kind).toBe('ready')
  })

  it('fails with the reason where the next session is forgotten too', async () => {
    const { remote, call } = await open()
    remote.answers['tools/call'] = status(400, 'Session not found')
    await expect(call()).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('no longer knows the session') as string,
    })
    expect(remote.count('tools/call')).toBe(2)
  })
})
