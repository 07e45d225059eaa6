import { readFileSync } from 'node:fs'

import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'

import { type AgentMode, type ConnectedAgent, GatewayHarness } from '../../fixtures/gateway-harness'
import { Relay } from '../../fixtures/relay'
import { echoServer, type RemoteKind, RemoteServer } from '../../fixtures/remote-server'

/** Time limit of calls in these tests, in ms. */
const CALL_MS = 4_000
const inputSchema = fromJsonSchema({ type: 'object' })

const bench = new GatewayHarness()
const open: AsyncDisposable[] = []
afterEach(async () => {
  await bench.close()
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})

type Far = {
  readonly id: string
  readonly relay: Relay
  readonly remote: RemoteServer
  readonly agent: ConnectedAgent
  /** Makes the server offer another tool. */
  readonly addTool: () => Promise<void>
}

/** A remote server behind a relay; `wait` never answers. */
async function openFar(kind: RemoteKind): Promise<Far> {
  const made: McpServer[] = []
  let hasMore = false
  const addMore = (server: McpServer): unknown =>
    server.registerTool('more', { inputSchema }, () => ({ content: [] }))
  const remote = await RemoteServer.open(kind, () => {
    const server = echoServer()
    server.registerTool('wait', { inputSchema }, () => new Promise(() => undefined))
    if (hasMore) addMore(server)
    made.push(server)
    return server
  })
  const relay = await Relay.open(Number(new URL(remote.url).port))
  open.push(relay, remote)
  await bench.open()
  const url = `http://127.0.0.1:${String(relay.port)}/mcp`
  const server = {
    ...{ name: 'test/far', description: 'Far', version: '1.0.0' },
    remotes: [{ type: 'streamable-http', url }],
  }
  const id = await bench.harness.installReady(server, {
    name: 'far',
    offer: { kind: 'remote', index: 0 },
    budgets: { callMs: CALL_MS },
  })
  const { key } = await bench.addAgent('Anna')
  const agent = await bench.connect(key, 'sessions')
  const addTool = async (): Promise<void> => {
    hasMore = true
    if (kind === 'sessions') for (const one of made) addMore(one)
    else await remote.changeTools()
  }
  return { id, relay, remote, agent, addTool }
}

/** Many parallel calls, so that many connections are kept. */
async function warmUp({ call }: ConnectedAgent): Promise<void> {
  const text = 'x'
  await Promise.all(Array.from({ length: 5 }, () => call('far__echo', { text })))
}

describe.each<RemoteKind>(['sessions', 'stateless'])(
  'F10: a sleep between Patchbay and a remote server (%s)',
  (kind) => {
    it('ends a call with an explanation within its limit, and the next one succeeds', async () => {
      const { agent, relay } = await openFar(kind)
      await warmUp(agent)
      const lost = agent.call('far__wait')
      lost.catch(() => undefined)
      await expect.poll(() => bench.harness.patchbay.servers.all()[0]?.inFlight).toBe(1)
      relay.silence()
      bench.harness.patchbay.servers.reportWake()
      // None of the kept connections is used.
      for (const text of ['a', 'b', 'c'])
        expect(await agent.call('far__echo', { text })).toMatchObject({ content: [{ text }] })
      await expect(lost).rejects.toThrow('4 s')
    })

    it('reopens the change stream, and reads missed changes', async () => {
      const { addTool, agent, id, relay } = await openFar(kind)
      await warmUp(agent)
      const tools = async (): Promise<number> => (await bench.harness.view(id)).counts.tools
      expect(await tools()).toBe(3)
      relay.silence()
      bench.harness.patchbay.servers.reportWake()
      const { count } = relay
      await expect.poll(() => relay.count).toBeGreaterThan(count)
      await addTool()
      await expect.poll(tools).toBe(4)
    })
  },
)

describe('F7: a sleep between an agent and the gateway', () => {
  const via = ({ port }: Relay): string => `http://127.0.0.1:${String(port)}/mcp`

  /** An agent whose connections go silent during a call; another route to the gateway works. */
  async function sleep(
    protocolMode: AgentMode,
  ): Promise<{ agent: ConnectedAgent; key: string; awake: Relay }> {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const port = Number(new URL(bench.url).port)
    const [asleep, awake] = [await Relay.open(port), await Relay.open(port)]
    open.push(asleep, awake)
    const agent = await bench.connect(key, protocolMode, { url: via(asleep) })
    expect(await agent.call('one__echo', { value: 1 })).toMatchObject({ own: 'one', value: 1 })
    const lost = agent.call('one__echo', { ms: 600_000 }, { timeout: 3_000 })
    lost.catch(() => undefined)
    asleep.silence()
    await bench.addServer('two')
    await expect(lost).rejects.toThrow('timed out')
    return { agent, key, awake }
  }

  it('loses neither session nor changes: a new stream replaces the silent one', async () => {
    const { agent, key, awake } = await sleep('sessions')
    const headers = {
      authorization: `Bearer ${key}`,
      'mcp-session-id': agent.transport.sessionId ?? '',
    }
    const leaving = new AbortController()
    const stream = await fetch(via(awake), {
      headers: { ...headers, accept: 'text/event-stream' },
      signal: leaving.signal,
    })
    let received = ''
    for await (const part of stream.body ?? []) {
      received += Buffer.from(part).toString()
      if (received.includes('notifications/tools/list_changed')) break
    }
    leaving.abort()
    const params = { name: 'two__echo', arguments: { value: 2 } }
    const answer = await fetch(via(awake), {
      method: 'POST',
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
    })
    expect(await answer.json()).toMatchObject({ id: 7, result: { own: 'two', value: 2 } })
  })

  it('continues without a session', async () => {
    const { key, awake } = await sleep('stateless')
    const again = await bench.connect(key, 'stateless', { url: via(awake) })
    expect(await again.call('two__echo', { value: 2 })).toMatchObject({ own: 'two', value: 2 })
  })
})

/** Whether the system probes each connection from or to a port (Linux keepalive). */
function probed(port: number): boolean[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, local = '', , state]) => local.endsWith(`:${hex}`) && state === '01')
    .map(([, , , , , timer = '']) => timer.startsWith('02:'))
}

describe.runIf(process.platform === 'linux')('F10: a peer that disappeared silently', () => {
  it("is detected by the system at agents' connections", async () => {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const agent = await bench.connect(key, 'sessions')
    const call = agent.call('one__echo', { ms: 600_000 })
    call.catch(() => undefined)
    await expect
      .poll(() => probed(Number(new URL(bench.url).port)))
      .toEqual(expect.arrayContaining([true]))
    expect(probed(Number(new URL(bench.url).port))).not.toContain(false)
  })
})
