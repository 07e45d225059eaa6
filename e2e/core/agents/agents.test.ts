import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import {
  AgentProfile,
  type AgentsState,
  type AgentView,
} from '../../../src-shared/domain/agents/agent'
import { fixtureServer } from '../../fixtures/fixture-server'
import { freePort } from '../../fixtures/free-port'
import { GatewayHarness, PROTOCOL_MODES } from '../../fixtures/gateway-harness'
import type { Harness } from '../../fixtures/harness'
import { HeldWaits } from '../../fixtures/held-waits'
import { openHarness, openHarnessWith } from '../../fixtures/open-harness'
import { pause } from '../../fixtures/pause'

const NOTHING = AgentProfile.parse({ servers: { kind: 'list', list: [] } })

const stateOf = async (harness: Harness): Promise<AgentsState> =>
  (await harness.call('app.snapshot', {})).agents

async function openQueue(): Promise<{ harness: Harness; port: number }> {
  const port = await freePort()
  return { harness: await openHarnessWith({ gatewayPort: port }), port }
}

function reopen({ memory, profileDir }: Harness): Harness {
  return openHarness(memory, { profileDir })
}

async function ask(port: number, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  const answer = await fetch(`http://127.0.0.1:${String(port)}/mcp`, {
    method: 'POST',
    headers,
    body,
  })
  await answer.arrayBuffer()
  return answer.status
}

describe('D6: agents in the app', () => {
  it('open the endpoint with the first one, and close it with the last', async () => {
    const { harness, port } = await openQueue()
    expect(await stateOf(harness)).toEqual({ gateway: { kind: 'off' }, agents: [] })
    const { agentId, key } = await harness.call('agent.add', { name: 'Anna' })
    await expect.poll(async () => (await stateOf(harness)).gateway.kind).toBe('open')
    expect(await ask(port, key)).not.toBe(401)
    const { agents } = await stateOf(harness)
    expect(agents).toMatchObject([{ agentId, name: 'Anna', keyTail: key.slice(-4), calls: 0 }])
    expect(agents[0]?.lastSeenAt).toBeGreaterThan(0)
    expect(JSON.stringify(agents)).not.toContain('keyHash')
    await harness.call('agent.remove', { agentId })
    await expect.poll(async () => (await stateOf(harness)).gateway.kind).toBe('off')
    await expect(ask(port, key)).rejects.toThrow()
  })

  it('are sent to the screens on each change, not while idle', async () => {
    const { harness } = await openQueue()
    const sent: AgentsState[] = []
    harness.patchbay.onEvent((event) => {
      if (event.channel === 'agents.changed') sent.push(event.payload.agents)
    })
    const { agentId } = await harness.call('agent.add', { name: 'Anna' })
    await expect.poll(() => sent.at(-1)?.gateway.kind).toBe('open')
    await harness.call('agent.rename', { agentId, name: 'Bert' })
    await expect.poll(() => sent.at(-1)?.agents[0]?.name).toBe('Bert')
    await harness.call('agent.setProfile', { agentId, profile: NOTHING })
    await expect.poll(() => sent.at(-1)?.agents[0]?.profile.servers).toEqual(NOTHING.servers)
    const before = sent.length
    // The agent sees none of it.
    await harness.until(await harness.install(fixtureServer('answers.mjs')), 'ready')
    await pause(1_200)
    expect(sent).toHaveLength(before)
  })

  it('are sent at most twice a second, however many requests they send', async () => {
    const { harness, port } = await openQueue()
    const { key } = await harness.call('agent.add', { name: 'Anna' })
    await expect.poll(async () => (await stateOf(harness)).gateway.kind).toBe('open')
    let sent = 0
    harness.patchbay.onEvent(({ channel }) => (sent += channel === 'agents.changed' ? 1 : 0))
    // The half second after each event.
    using rest = new HeldWaits(500)
    await ask(port, key)
    await expect.poll(() => sent).toBe(1)
    for (let times = 0; times < 20; times += 1) await ask(port, key)
    expect(sent).toBe(1)
    rest.end()
    expect(sent).toBe(2)
  })

  it('get the tools their profile leaves, previewed before it is saved', async () => {
    const { harness } = await openQueue()
    await harness.installReady(fixtureServer('answers.mjs'))
    const { agentId } = await harness.call('agent.add', { name: 'Anna' })
    const { tools } = await harness.call('agent.tools', { agentId })
    expect(tools.length).toBeGreaterThan(0)
    expect((await stateOf(harness)).agents[0]).toMatchObject({ exposed: tools.length, overCap: 0 })
    expect((await harness.call('agent.tools', { agentId, profile: NOTHING })).tools).toEqual([])
    expect((await harness.call('agent.tools', { agentId })).tools).toEqual(tools)
    await harness.call('agent.setProfile', { agentId, profile: NOTHING })
    expect((await harness.call('agent.tools', { agentId })).tools).toEqual([])
    expect((await stateOf(harness)).agents[0]).toMatchObject({ exposed: 0 })
  })

  it('get the default tool limit if none is set', async () => {
    const { harness } = await openQueue()
    await harness.call('settings.update', { toolCap: 40 })
    await harness.call('agent.add', { name: 'Anna' })
    expect((await stateOf(harness)).agents[0]?.profile.toolCap).toBe(40)
  })

  it.each(['agent.rename', 'agent.renewKey', 'agent.remove', 'agent.tools'] as const)(
    'are reported as missing by %s',
    async (channel) => {
      const { harness } = await openQueue()
      const request = harness.call(channel, { agentId: 'nobody', name: 'x' })
      await expect(request).rejects.toMatchObject({ code: 'NOT_FOUND' })
    },
  )

  it('have no access if their file is damaged, which is reported', async () => {
    const { harness, port } = await openQueue()
    const { key } = await harness.call('agent.add', { name: 'Anna' })
    await harness.patchbay.close()
    const file = join(harness.profileDir, 'agents.json')
    writeFileSync(file, readFileSync(file, 'utf8').slice(1))
    const again = reopen(harness)
    const { notices, agents } = await again.call('app.snapshot', {})
    expect(agents).toEqual({ gateway: { kind: 'off' }, agents: [] })
    expect(notices.map(({ title }) => title)).toContain('No agent has access')
    await expect(ask(port, key)).rejects.toThrow()
  })

  it('report a taken port, and move to another', async () => {
    const { harness, port } = await openQueue()
    const { key } = await harness.call('agent.add', { name: 'Anna' })
    await expect.poll(async () => (await stateOf(harness)).gateway.kind).toBe('open')
    const { harness: second } = await openQueue()
    await second.call('settings.update', { gatewayPort: port })
    await second.call('agent.add', { name: 'Bert' })
    await expect
      .poll(async () => (await stateOf(second)).gateway)
      .toMatchObject({
        kind: 'failed',
        port,
      })
    const titlesOf = async (of: Harness): Promise<string[]> =>
      (await of.call('app.snapshot', {})).notices.map(({ title }) => title)
    expect(await titlesOf(second)).toContain('The gateway port is in use')
    const next = await freePort()
    await harness.call('settings.update', { gatewayPort: next })
    await expect.poll(async () => (await stateOf(harness)).gateway).toMatchObject({ port: next })
    expect(await ask(next, key)).not.toBe(401)
    expect(await titlesOf(harness)).toContain('The gateway address changed')
    // A client that used the address already knows it.
    const file = join(harness.profileDir, 'agents.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ agents: [{ usedHttp: true }] })
    await second.call('gateway.retry', {})
    expect((await stateOf(second)).gateway).toMatchObject({ kind: 'open', port })
    expect(await titlesOf(second)).not.toContain('The gateway port is in use')
  })
})

const bench = new GatewayHarness()
afterEach(() => bench.close())

async function viewOf(agentId: string): Promise<AgentView | undefined> {
  const { agents } = await bench.harness.call('app.snapshot', {})
  return agents.agents.find((agent) => agent.agentId === agentId)
}

describe("D6: an agent's activity since the start", () => {
  it.each(PROTOCOL_MODES)('includes the time of its last tool list: %s', async (protocolMode) => {
    await bench.open()
    const { agentId, key } = await bench.addAgent('Anna')
    const other = await bench.addAgent('Bert')
    const from = Date.now()
    const { client } = await bench.connect(key, protocolMode)
    await client.ping().catch(() => undefined)
    expect((await viewOf(agentId))?.listedAt).toBeUndefined()
    await client.listTools()
    const listedAt = (await viewOf(agentId))?.listedAt ?? 0
    expect(listedAt).toBeGreaterThanOrEqual(from)
    // With a progress token the list takes another path in the endpoint.
    const listAgain = async (): Promise<number | undefined> => {
      await client.request({ method: 'tools/list', params: { _meta: { progressToken: 1 } } })
      return (await viewOf(agentId))?.listedAt
    }
    // Repeated, because both may happen within one millisecond.
    await expect.poll(listAgain).toBeGreaterThan(listedAt)
    expect((await viewOf(other.agentId))?.listedAt).toBeUndefined()
  })

  it('counts calls and failed calls', async () => {
    await bench.open()
    await bench.addServer('one')
    const { agentId, key } = await bench.addAgent('Anna')
    const { client } = await bench.connect(key, 'sessions')
    const [tool] = (await client.listTools()).tools
    await client.callTool({ name: tool?.name ?? '', arguments: { name: 'x' } })
    await client.callTool({ name: 'no_such_tool', arguments: {} }).catch(() => undefined)
    await expect.poll(() => viewOf(agentId)).toMatchObject({ calls: 2, errors: 1 })
  })
})
