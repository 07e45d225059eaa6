import { describe, expect, it } from 'vitest'

import type { Harness } from '../../fixtures/harness'
import { openHarness } from '../../fixtures/open-harness'
import { pause } from '../../fixtures/pause'
import { RemoteServer } from '../../fixtures/remote-server'
import { wantingServer } from '../../fixtures/wanting-server'

async function connect(harness: Harness, { url }: RemoteServer): Promise<string> {
  const entry = {
    name: 'test.fixture/wanting',
    description: 'A fixture.',
    version: '1.0.0',
    remotes: [{ type: 'streamable-http', url }],
  }
  const id = await harness.installReady(entry, {
    offer: { kind: 'remote', index: 0 },
    budgets: { callMs: 5_000 },
  })
  return id
}

describe('E1: server requests over HTTP', () => {
  it.each([
    ['stateless', '2026-07-28'],
    ['sessions', '2025-11-25'],
  ] as const)("%s: the user is asked, without using up the call's time", async (kind, version) => {
    await using server = await RemoteServer.open(kind, wantingServer)
    const harness = openHarness()
    const id = await connect(harness, server)
    expect((await harness.view(id)).protocolVersion).toBe(version)
    const requestOrigin = { agent: 'Claude' }
    const calls = [1, 2].map(() =>
      harness.session(id).request('tools/call', { name: 'name', arguments: {} }, { requestOrigin }),
    )
    const pending = async () => (await harness.call('app.snapshot', {})).userRequests
    await expect.poll(async () => (await pending()).length).toBe(2)
    await pause(6_000)
    const requests = await pending()
    // A server with sessions doesn't say whose request it is.
    const agent = kind === 'stateless' ? 'Claude' : undefined
    expect(requests.map((one) => one.agent)).toEqual([agent, agent])
    for (const { requestId } of requests)
      await harness.call('userRequest.answer', { requestId, answer: { kind: 'accept' } })
    const text = JSON.stringify({ action: 'accept', content: { name: 'Ann' } })
    expect(await Promise.all(calls)).toEqual(
      Array(2).fill(expect.objectContaining({ content: [{ type: 'text', text }] })),
    )
  })

  it('are canceled when their server is gone', async () => {
    const server = await RemoteServer.open('sessions', wantingServer)
    const harness = openHarness()
    const id = await connect(harness, server)
    const call = harness.session(id).request('tools/call', { name: 'name', arguments: {} })
    const failing = expect(call).rejects.toMatchObject({ name: 'AppError' })
    const pending = async () => (await harness.call('app.snapshot', {})).userRequests.length
    await expect.poll(pending).toBe(1)
    await server[Symbol.asyncDispose]()
    await harness.call('server.stop', { installationId: id })
    await failing
    await expect.poll(pending).toBe(0)
  })
})
