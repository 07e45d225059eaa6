import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import {
  type ConnectedAgent,
  GatewayHarness,
  PROTOCOL_MODES,
  type RawAgent,
} from '../../../../e2e/fixtures/gateway-harness'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { AgentProfile } from '../../../../src-shared/domain/agents/agent'

const gateway = new GatewayHarness()
afterEach(() => gateway.close())

const URI = 'memo://one'
const TOOLS_CHANGED = 'notifications/tools/list_changed'
const UPDATED = 'notifications/resources/updated'
const CHANGES = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

/** Settles when a server's log has this many lines with this text. */
const logged = (id: string, text: string, count: number): Promise<void> =>
  expect.poll(() => gateway.logged(id, text)).toHaveLength(count)

const methodsOf = ({ notifications }: ConnectedAgent): string[] =>
  notifications.map(({ method }) => method)
const paramsOf = ({ notifications }: ConnectedAgent, method: string): unknown[] =>
  notifications.filter((one) => one.method === method).map(({ params }) => params)
const logsOf = (agent: ConnectedAgent): unknown[] => paramsOf(agent, 'notifications/message')
const touch = ({ call }: ConnectedAgent): Promise<unknown> => call('one__touch', { uri: URI })

const profileOf = (...ids: string[]): AgentProfile => {
  const choice = { kind: 'all' as const }
  const list = ids.map((installationId) => ({ installationId, choice }))
  return AgentProfile.parse({ servers: { kind: 'list', list } })
}

describe.each(PROTOCOL_MODES)('D6: notifications for agents (%s)', (protocolMode) => {
  const watch = async ({ client, ask }: ConnectedAgent): Promise<void> => {
    if (protocolMode === 'stateless') await client.listen({ resourceSubscriptions: [URI] })
    else await ask('resources/subscribe', { uri: URI })
  }

  it('name the changed lists, and only those that the agent sees', async () => {
    const { key, ids } = await gateway.start('one', 'two')
    const [one = '', two = ''] = ids
    const only = await gateway.addAgent('Only one', profileOf(one))
    const agents = [
      await gateway.connect(key, protocolMode),
      await gateway.connect(only.key, protocolMode),
    ] as const
    for (const { client } of agents) if (protocolMode === 'stateless') await client.listen(CHANGES)
    const choice = { kind: 'list' as const, names: ['echo'] }
    await gateway.harness.call('tools.choose', { installationId: two, choice })
    await expect.poll(() => methodsOf(agents[0])).toEqual([TOOLS_CHANGED])
    expect((await agents[0].ask('tools/list')).tools).toHaveLength(9)
    await gateway.harness.call('installation.setEnabled', { installationId: two, enabled: false })
    await expect
      .poll(() => methodsOf(agents[0]).slice(1).toSorted())
      .toEqual(['prompts', 'resources', 'tools'].map((one) => `notifications/${one}/list_changed`))
    // A change of a server doesn't concern agents that don't see it.
    expect(agents[1].notifications).toEqual([])
  })

  it('report watched resources: one subscription per server, while it is exposed and an agent watches', async () => {
    await gateway.open()
    const refusing = join(tempFolder('refusing'), 'refusing')
    const id = await gateway.addServer('one', 'rich.mjs', ['one', refusing])
    const { key, agentId } = await gateway.start()
    const watching = [
      await gateway.connect(key, protocolMode),
      await gateway.connect(key, protocolMode),
    ] as const
    const other = await gateway.connect(key, protocolMode)
    const updated = async (count: number): Promise<void> => {
      for (const agent of watching)
        await expect.poll(() => paramsOf(agent, UPDATED)).toHaveLength(count)
    }
    const restart = (): Promise<unknown> =>
      gateway.harness.call('server.restart', { installationId: id })
    for (const agent of watching) await watch(agent)
    await logged(id, `watches ${URI}`, 1)
    await touch(other)
    await updated(1)
    expect(paramsOf(watching[0], UPDATED)).toMatchObject([{ uri: URI }])
    expect(paramsOf(other, UPDATED)).toEqual([])
    await gateway.harness.call('agent.setProfile', { agentId, profile: profileOf() })
    await logged(id, `leaves ${URI}`, 1)
    await gateway.harness.call('agent.setProfile', { agentId, profile: profileOf(id) })
    await logged(id, `watches ${URI}`, 2)
    // The resource may have changed meanwhile.
    await updated(2)
    // A server that rejects again is reported once, and asked again at its next start.
    writeFileSync(refusing, '')
    for (let count = 1; count <= 2; count += 1) {
      await restart()
      await logged(id, `refuses ${URI}`, count)
      await updated(3)
    }
    rmSync(refusing)
    await restart()
    await logged(id, `watches ${URI}`, 3)
    await touch(other)
    await updated(4)
    const data = `Updates of ${URI} have stopped: The server rejected resources/subscribe: Not today.`
    const warning = { level: 'warning', logger: 'one', data }
    expect(logsOf(watching[0])).toMatchObject(protocolMode === 'stateless' ? [] : [warning])
    for (const agent of watching) {
      await agent.client.close()
      // A session lasts until it is ended, whether or not its stream is open.
      if (protocolMode === 'sessions') await agent.send(undefined, { method: 'DELETE' })
    }
    await logged(id, `leaves ${URI}`, 2)
  })
})

/** Opens the stream of a session and collects its messages until the agent leaves. */
async function listen({ send }: RawAgent): Promise<{ methods: string[]; leave: () => void }> {
  const leaving = new AbortController()
  const { body } = await send(undefined, { method: 'GET', signal: leaving.signal })
  const methods: string[] = []
  const hear = async (): Promise<void> => {
    for await (const chunk of body ?? []) {
      const named = Buffer.from(chunk)
        .toString()
        .matchAll(/"method":"([^"]+)"/gu)
      methods.push(...[...named].map(([, method = '']) => method))
    }
  }
  hear().catch(() => undefined) // The agent left.
  return { methods, leave: () => leaving.abort() }
}

describe('F16: a subscription that a server rejects', () => {
  it("fails with the server's code, message and data", async () => {
    await gateway.open()
    const refusing = join(tempFolder('refusing'), 'refusing')
    writeFileSync(refusing, '')
    await gateway.addServer('one', 'rich.mjs', ['one', refusing])
    const { key } = await gateway.start()
    const { ask } = await gateway.session(key)
    const error = { code: -32_000, message: 'Not today', data: { a: 1 } }
    const subscribe = { id: 3, method: 'resources/subscribe', params: { uri: URI } }
    expect(await ask(subscribe)).toEqual([{ jsonrpc: '2.0', id: 3, error }])
  })
})

describe('D6: subscriptions of a session', () => {
  it('are at most 1000, also if some are requested together', async () => {
    await gateway.open({ agentRate: 1_000_000, agentCalls: 512 })
    const { key, ids } = await gateway.start('one')
    const { ask } = await gateway.session(key)
    const request = (method: string, path: number): Promise<object[]> =>
      ask({ id: path, method: `resources/${method}`, params: { uri: `${URI}/${String(path)}` } })
    const subscribe = async (count: number): Promise<number> => {
      const paths = Array.from({ length: count }, () => (next += 1))
      const answers = await Promise.all(paths.map((path) => request('subscribe', path)))
      return answers.filter(([answer = {}]) => 'result' in answer).length
    }
    let next = 0
    for (let round = 0; round < 9; round += 1) expect(await subscribe(110)).toBe(110)
    expect(await subscribe(30)).toBe(10)
    const [installationId = ''] = ids
    await logged(installationId, 'leaves', 20)
    const message = 'At most 1000 resources can be subscribed to.'
    expect(await request('subscribe', 2_000)).toMatchObject([{ error: { code: -32_000, message } }])
    // A resource that is subscribed to already counts once.
    expect(await request('subscribe', 1)).toMatchObject([{ result: {} }])
    expect(await request('unsubscribe', 1)).toMatchObject([{ result: {} }])
    await logged(installationId, 'leaves', 21)
    expect(await request('subscribe', 2_000)).toMatchObject([{ result: {} }])
  })

  it('report no change after their end, not even an earlier one', async () => {
    const { key, ids } = await gateway.start('one')
    const [installationId = ''] = ids
    const [session, other] = [await gateway.session(key), await gateway.session(key)]
    const params = { uri: URI }
    for (const { ask } of [session, other])
      await ask({ id: 1, method: 'resources/subscribe', params })
    const listening = await listen(other)
    await touch(await gateway.connect(key, 'stateless'))
    await expect.poll(() => listening.methods).toEqual([UPDATED])
    await session.ask({ id: 2, method: 'resources/unsubscribe', params })
    const choice = { kind: 'list' as const, names: ['touch'] }
    await gateway.harness.call('tools.choose', { installationId, choice })
    await expect.poll(() => listening.methods).toEqual([UPDATED, TOOLS_CHANGED])
    const late = await listen(session)
    await expect.poll(() => late.methods).toEqual([TOOLS_CHANGED])
    for (const { leave } of [listening, late]) leave()
  })
})

describe("D6: changes while an agent's session has no stream", () => {
  it('are sent when it opens one, once for each kind and resource', async () => {
    const { key, ids } = await gateway.start('one')
    const [installationId = ''] = ids
    const other = await gateway.connect(key, 'stateless')
    const session = await gateway.session(key)
    /** Changes the tools, and waits until all listening agents were notified. */
    const choose = async (...names: string[]): Promise<void> => {
      const stream = await listen(await gateway.session(key))
      const choice = { kind: 'list' as const, names }
      await gateway.harness.call('tools.choose', { installationId, choice })
      await expect.poll(() => stream.methods).toContain(TOOLS_CHANGED)
      stream.leave()
    }
    await session.ask({ id: 1, method: 'resources/subscribe', params: { uri: URI } })
    await choose('touch', 'log')
    for (let count = 0; count < 3; count += 1) await touch(other)
    await choose('echo', 'touch')
    const first = await listen(session)
    await expect.poll(() => first.methods.toSorted()).toEqual([UPDATED, TOOLS_CHANGED])
    first.leave()
    await choose('echo')
    const second = await listen(session)
    await expect.poll(() => second.methods).toEqual([TOOLS_CHANGED])
    second.leave()
  })
})

const log = (
  { call }: ConnectedAgent,
  of: string,
  level: string,
  meta?: object,
): Promise<unknown> => call(`${of}__log`, { level }, { meta })

describe('D6: server logs for agents with sessions', () => {
  const levels = ([id = '']: readonly string[]): Promise<string[]> => gateway.logged(id, 'level ')

  it('are sent from the level of each session that sees the server, and servers get the lowest level', async () => {
    const { key, ids } = await gateway.start('one', 'two')
    const others = await gateway.addAgent('Others', profileOf(ids[1] ?? ''))
    const other = await gateway.connect(others.key, 'sessions')
    const usual = await gateway.connect(key, 'sessions')
    await log(usual, 'one', 'info')
    const first = { level: 'info', logger: 'one/own', data: { index: 0, of: 'one' }, extra: 1 }
    await expect.poll(() => logsOf(usual)).toEqual([first])
    // Servers keep their own level until an agent requests one.
    expect(await levels(ids)).toEqual([])
    const all = await gateway.connect(key, 'sessions')
    const grave = await gateway.connect(key, 'sessions')
    await grave.ask('logging/setLevel', { level: 'error' })
    // A session without a level gets the default one.
    await expect.poll(() => levels(ids)).toEqual(['level info'])
    await all.ask('logging/setLevel', { level: 'debug' })
    await expect.poll(() => levels(ids)).toEqual(['level info', 'level debug'])
    for (const level of ['debug', 'info', 'error']) await log(usual, 'one', level)
    await expect.poll(() => logsOf(all)).toHaveLength(3)
    await expect.poll(() => logsOf(usual)).toHaveLength(3)
    await expect.poll(() => logsOf(grave)).toMatchObject([{ level: 'error' }])
    // Agents validate messages: an unknown level becomes the default.
    await log(usual, 'one', 'loud')
    await expect.poll(() => logsOf(usual).at(-1)).toMatchObject({ level: 'info' })
    await expect.poll(() => logsOf(usual)).toHaveLength(4)
    await log(usual, 'two', 'error')
    await expect.poll(() => logsOf(other)).toMatchObject([{ logger: 'two/own' }])
    const loud = grave.ask('logging/setLevel', { level: 'loud' })
    await expect(loud).rejects.toMatchObject({ code: -32_602 })
    // A new connection of the server gets the request again.
    await gateway.harness.call('server.restart', { installationId: ids[0] ?? '' })
    await expect.poll(() => levels(ids)).toHaveLength(3)
  })

  it('cost a server only a few requests, however often agents change their level', async () => {
    const { key, ids } = await gateway.start('one')
    const { ask } = await gateway.connect(key, 'sessions')
    for (let round = 0; round < 40; round += 1)
      for (const level of ['debug', 'error']) await ask('logging/setLevel', { level })
    await ask('logging/setLevel', { level: 'warning' })
    // A higher level reaches servers after 5 s.
    await expect.poll(async () => (await levels(ids)).at(-1)).toBe('level warning')
    expect((await levels(ids)).length).toBeLessThan(20)
    expect((await levels(ids))[0]).toBe('level debug')
  })
})

describe('D6: server logs for stateless agents', () => {
  it('are sent on the stream of the request that asks for them, only from its server', async () => {
    const { key } = await gateway.start('one', 'two')
    const agent = await gateway.connect(key, 'stateless')
    const level = (name: string): object => ({ 'io.modelcontextprotocol/logLevel': name })
    await log(agent, 'one', 'warning')
    expect(logsOf(agent)).toEqual([])
    await Promise.all([
      log(agent, 'one', 'warning', level('info')),
      log(agent, 'two', 'debug', level('info')),
      log(agent, 'two', 'debug'),
    ])
    expect(logsOf(agent)).toMatchObject([{ level: 'warning', logger: 'one/own' }])
    await log(agent, 'two', 'debug', level('debug'))
    expect(logsOf(agent)).toHaveLength(2)
  })
})
