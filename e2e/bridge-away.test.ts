import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { bindLoopback } from '../src-main/core/listener/bind-loopback'
import { AgentProfile } from '../src-shared/domain/agents/agent'
import { BridgeHost, type HostOptions } from './fixtures/bridge-host'
import { builtProgram } from './fixtures/built-program'
import { fixtureServer } from './fixtures/fixture-server'
import { freePort } from './fixtures/free-port'
import type { Harness } from './fixtures/harness'
import { pause } from './fixtures/pause'
import { Profile, untilConnected } from './fixtures/tools-harness'

const program = builtProgram('e2e/fixtures/bridge-program.ts')

let profile = new Profile()
const hosts: BridgeHost[] = []
const servers: Server[] = []
beforeEach(() => {
  profile = new Profile()
})
afterEach(async () => {
  for (const host of hosts.splice(0)) {
    host.child.kill('SIGKILL')
    expect(host.strays).toEqual([])
  }
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
  await profile.close()
})

function start(options: Partial<HostOptions> = {}): BridgeHost {
  const from = { program: program.file, agentId: 'anna', profileDir: profile.folder }
  const host = new BridgeHost({ ...from, ...options })
  hosts.push(host)
  return host
}

/** Reopens the app with its profile. */
async function reopen(): Promise<Harness> {
  const harness = profile.open()
  await expect.poll(async () => (await gatewayOf(harness)).kind).toBe('open')
  return harness
}

async function gatewayOf(harness: Harness): Promise<{ readonly kind: string }> {
  return (await harness.call('app.snapshot', {})).agents.gateway
}

/** The app with a server and the agent Anna. */
async function opened(): Promise<{ harness: Harness; key: string }> {
  const harness = profile.open()
  await harness.call('settings.update', { gatewayPort: await freePort() })
  const id = await harness.install(fixtureServer('rich.mjs', { args: ['one'] }), { name: 'one' })
  await untilConnected(harness, id)
  const added = { name: 'Anna', profile: AgentProfile.parse({}) }
  const { key } = await harness.call('agent.add', added)
  await expect.poll(async () => (await gatewayOf(harness)).kind).toBe('open')
  return { harness, key }
}

/** Another program at Patchbay's recorded address; records the requests it gets. */
async function pretend(answer: number): Promise<string[]> {
  const came: string[] = []
  const server = createServer(({ method = '', headers }, response) => {
    came.push(`${method} ${String(headers.authorization)}`)
    response.writeHead(answer, { 'content-type': 'application/json' }).end('{}')
  })
  servers.push(server)
  const port = await bindLoopback(server, 0, () => undefined)
  writeAddress(`http://127.0.0.1:${String(port)}/mcp`, process.pid)
  return came
}

/** A gateway that forgets its first session immediately and keeps streams open; records requests by session. */
async function forgetful(): Promise<string[]> {
  const came: string[] = []
  let sessions = 0
  const server = createServer((request, response) => {
    void json(request).then(({ id, method = request.method }: Record<string, unknown>) => {
      const session = String(request.headers['mcp-session-id'] ?? 'none')
      came.push(`${session} ${String(method)}`)
      if (method === 'initialize') sessions += 1
      if (method === 'GET')
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      else if (session === 'S1' && id !== undefined) response.writeHead(404).end()
      else if (id === undefined) response.writeHead(202).end()
      else {
        const headers = {
          'content-type': 'application/json',
          'mcp-session-id': `S${String(sessions)}`,
        }
        const result = { protocolVersion: '2025-11-25', tools: [] }
        response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      }
    })
  })
  servers.push(server)
  const port = await bindLoopback(server, 0, () => undefined)
  writeAddress(`http://127.0.0.1:${String(port)}/mcp`, process.pid)
  return came
}

function writeAddress(url: string, pid: number): void {
  writeFileSync(join(profile.folder, 'gateway.json'), JSON.stringify({ url, pid }))
}

const toolsIn = ({ result }: Record<string, unknown>): unknown[] =>
  (result as { tools: unknown[] }).tools

async function json(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>
}

const ECHO = ['tools/call', { name: 'one__echo', arguments: { value: 7 } }] as const

describe('D6: the bridge without Patchbay', () => {
  it('keeps its host, says what to do, and offers everything once the app runs', async () => {
    const { harness, key } = await opened()
    await harness.patchbay.close()
    const host = start({ key })
    expect(await host.initialize()).toMatchObject({
      result: { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } } },
    })
    expect(toolsIn(await host.ask('tools/list'))).toEqual([])
    expect(await host.ask('ping')).toMatchObject({ result: {} })
    const message = 'Patchbay is not running. Start it, then try again.'
    expect(await host.ask(...ECHO)).toMatchObject({ error: { message } })
    expect(host.stderr).toBe(`patchbay bridge: ${message}\n`)
    await reopen()
    await expect.poll(() => host.count('notifications/tools/list_changed')).toBeGreaterThan(0)
    expect(toolsIn(await host.ask('tools/list')).length).toBeGreaterThan(0)
    expect(await host.ask(...ECHO)).toMatchObject({ result: { value: 7 } })
  })

  it('continues with the next Patchbay, and reports the outcome of requests in flight', async () => {
    const { harness, key } = await opened()
    const host = start({ key })
    await host.initialize()
    await host.ask('logging/setLevel', { level: 'error' })
    const pending = host.begin('tools/call', { name: 'one__echo', arguments: { ms: 60_000 } })
    expect(await host.ask(...ECHO)).toMatchObject({ result: { value: 7 } })
    await harness.patchbay.close()
    const { error } = await host.answerTo(pending)
    expect(error).toMatchObject({ message: expect.stringMatching(/Patchbay|stopped/u) as string })
    const before = host.count('notifications/tools/list_changed')
    await reopen()
    await expect.poll(() => host.count('notifications/tools/list_changed')).toBeGreaterThan(before)
    expect(await host.ask(...ECHO)).toMatchObject({ result: { value: 7 } })
    expect(host.received.filter(({ id }) => id === pending)).toHaveLength(1)
    expect(host.received.some(({ id }) => String(id).startsWith('patchbay'))).toBe(false)
  })

  it("replaces a forgotten session, repeating its host's own initialize", async () => {
    const came = await forgetful()
    const host = start({ key: 'pb_key' })
    await host.initialize()
    expect(await host.ask('tools/list')).toMatchObject({ result: { tools: [] } })
    expect(came.filter((one) => /list$|initialize$/u.test(one))).toEqual([
      'none initialize',
      'S1 tools/list',
      'none initialize',
      'S2 tools/list',
    ])
    expect(came).toContain('S2 notifications/initialized')
  })

  it('cancels server requests when the app that sent them is gone', async () => {
    const { harness, key } = await opened()
    const host = start({ key })
    await host.initialize({ elicitation: {} })
    const ask = ['tools/call', { name: 'one__ask', arguments: { message: 'Who?' } }] as const
    const pending = host.begin(...ask)
    await expect.poll(() => host.count('elicitation/create')).toBe(1)
    const question = host.received.find((one) => one.method === 'elicitation/create')
    await harness.patchbay.close()
    await host.answerTo(pending)
    await reopen()
    await expect
      .poll(() => host.received.find((one) => one.method === 'notifications/cancelled')?.params)
      .toMatchObject({ requestId: question?.id })
  })

  it('follows the gateway to another port', async () => {
    const { harness, key } = await opened()
    const host = start({ key })
    await host.initialize()
    await harness.call('settings.update', { gatewayPort: await freePort() })
    await expect
      .poll(async () => JSON.stringify((await host.ask(...ECHO)).result))
      .toContain('"value":7')
  })

  it("reports a wrong key, and doesn't send it again", async () => {
    const came = await pretend(401)
    const host = start({ key: 'pb_wrong' })
    const rejected = {
      message: expect.stringContaining('rejected the key of agent "anna"') as string,
    }
    expect((await host.initialize()).error).toMatchObject(rejected)
    for (const method of ['tools/list', 'ping', 'tools/call'])
      expect((await host.ask(method)).error).toMatchObject(rejected)
    await pause(2_500)
    expect(came).toEqual(['POST Bearer pb_wrong'])
    expect(host.stderr).not.toContain('pb_wrong')
  })

  it('shows its key only to the Patchbay that runs on this computer', async () => {
    const came = await pretend(200)
    const address = servers[0]?.address() as AddressInfo
    // The pid of an ended process: any program may have the port.
    writeAddress(`http://127.0.0.1:${String(address.port)}/mcp`, 2 ** 30)
    const host = start({ key: 'pb_key' })
    expect(await host.initialize()).toHaveProperty('result')
    for (const url of [
      `http://localhost:${String(address.port)}/mcp`,
      `http://127.0.0.1:${String(address.port)}/x`,
    ]) {
      writeAddress(url, process.pid)
      expect((await host.ask('tools/call')).error).toMatchObject({
        message: expect.stringContaining('not running') as string,
      })
    }
    expect(came).toEqual([])
  })

  it('keeps a stateless host too', async () => {
    const { harness, key } = await opened()
    await harness.patchbay.close()
    const host = start({ key })
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test-host', version: '1' },
    }
    expect(await host.ask('server/discover', { _meta })).toMatchObject({
      result: { resultType: 'complete', supportedVersions: ['2026-07-28'] },
    })
    expect(toolsIn(await host.ask('tools/list', { _meta }))).toEqual([])
    const [method, params] = ECHO
    expect(await host.ask(method, { ...params, _meta })).toHaveProperty('error')
    const listening = host.begin('subscriptions/listen', {
      _meta,
      notifications: { toolsListChanged: true },
    })
    const acknowledged = 'notifications/subscriptions/acknowledged'
    await expect.poll(() => host.count(acknowledged)).toBe(1)
    await reopen()
    await expect.poll(() => host.count('notifications/tools/list_changed')).toBeGreaterThan(0)
    const changed = host.received.find((one) => one.method === 'notifications/tools/list_changed')
    expect(changed?.params).toMatchObject({
      _meta: { 'io.modelcontextprotocol/subscriptionId': listening },
    })
    expect(host.count(acknowledged)).toBe(1)
    expect(await host.ask(method, { ...params, _meta })).toMatchObject({ result: { value: 7 } })
    // A subscription to nothing has ended.
    const none = { _meta, notifications: { toolsListChanged: false } }
    const ended = await host.ask('subscriptions/listen', none)
    expect(ended).toMatchObject({ result: { resultType: 'complete' } })
  })
})
