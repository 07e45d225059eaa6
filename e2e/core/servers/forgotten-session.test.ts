import { describe, expect, it } from 'vitest'

import { agentOn, callsOn } from '../../fixtures/agent-calls-harness'
import { freePort } from '../../fixtures/free-port'
import type { Harness } from '../../fixtures/harness'
import { OlderRemote, status } from '../../fixtures/older-remote'
import { openHarnessWith } from '../../fixtures/open-harness'
import { ending } from '../../fixtures/supervised'

/** A Ready remote server, and an agent's call to its tool. */
async function open(): Promise<{
  harness: Harness
  id: string
  remote: OlderRemote
  call: () => Promise<unknown>
}> {
  const remote = ending(await OlderRemote.open())
  const harness = await openHarnessWith({ gatewayPort: await freePort(), startsAgain: false })
  const id = await harness.install(
    {
      name: 'test/forgetful',
      description: 'Forgets its sessions.',
      version: '1.0.0',
      remotes: [{ type: 'streamable-http', url: remote.url.href }],
    },
    { name: 'one', offer: { kind: 'remote', index: 0 } },
  )
  await expect.poll(async () => (await harness.view(id)).status.kind).toBe('ready')
  const agent = await agentOn(harness)
  const call = () => callsOn(harness).call({ agent, name: 'one__tool', args: {} })
  return { harness, id, remote, call }
}

describe('F3: a call in a session that the server has forgotten', () => {
  it('is sent once more in a new session, so that the agent gets a normal answer', async () => {
    const { harness, id, remote, call } = await open()
    remote.answers['tools/call'] = (response, request) => {
      delete remote.answers['tools/call']
      status(400, 'Bad Request: No valid session ID provided')(response, request)
    }
    expect(await call()).toMatchObject({ result: { content: [] } })
    expect([remote.count('tools/call'), remote.count('initialize')]).toEqual([2, 2])
    expect((await harness.view(id)).status.kind).toBe('ready')
  })

  it('fails with the reason if the next session is forgotten too', async () => {
    const { remote, call } = await open()
    remote.answers['tools/call'] = status(400, 'Session not found')
    await expect(call()).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringContaining('no longer knows the session') as string,
    })
    expect(remote.count('tools/call')).toBe(2)
  })
})
