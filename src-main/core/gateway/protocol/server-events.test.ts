import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import {
  AgentBench,
  type ConnectedAgent,
  ERAS,
  type RawAgent,
} from '../../../../e2e/fixtures/agent-bench'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { POLL } from '../../../../e2e/fixtures/tool-desk'
import { AgentProfile } from '../../../../src-shared/domain/agents/agent'

const bench = new AgentBench()
afterEach(() => bench.close())

const URI = 'memo://one'
const TOOLS_CHANGED = 'notifications/tools/list_changed'
const UPDATED = 'notifications/resources/updated'
const CHANGES = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

/** Settles when the log of a server has so many lines with this text. */
const logged = (id: string, text: string, count: number): Promise<void> =>
  expect
    .poll(async () => (await bench.desk.log(id)).filter((line) => line.includes(text)), POLL)
    .toHaveLength(count)

const methodsOf = ({ told }: ConnectedAgent): string[] => told.map(({ method }) => method)
const updatesOf = ({ told }: ConnectedAgent): unknown[] =>
  told.filter(({ method }) => method === UPDATED)
const logsOf = ({ told }: ConnectedAgent): unknown[] =>
  told.filter(({ method }) => method === 'notifications/message').map(({ params }) => params)

const touch = ({ ask }: ConnectedAgent): Promise<unknown> =>
  ask('tools/call', { name: 'one__touch', arguments: { uri: URI } })

const profileOf = (...ids: string[]): AgentProfile => {
  const choice = { kind: 'all' as const }
  const list = ids.map((installationId) => ({ installationId, choice }))
  return AgentProfile.parse({ servers: { kind: 'list', list } })
}

/** Opens the stream of a session and collects its messages until it is left. */
async function listen({ send }: RawAgent): Promise<{ methods: string[]; leave: () => void }> {
  const leaving = new AbortController()
  const { body } = await send(undefined, { method: 'GET', signal: leaving.signal })
  const methods: string[] = []
  const hear = async (): Promise<void> => {
    for await (const chunk of body ?? [])
      for (const [, method = ''] of Buffer.from(chunk)
        .toString()
        .matchAll(/"method":"([^"]+)"/gu))
        methods.push(method)
  }
  hear().catch(() => undefined) // it was left
  return { methods, leave: () => leaving.abort() }
}

describe.each(ERAS)('D6 what agents of the %s era are notified of', (era) => {
  it('is which of their lists changed, and no more', async () => {
    const { key, ids } = await bench.start('one', 'two')
    const [one = '', two = ''] = ids
    const only = await bench.addAgent('Only one', profileOf(one))
    const agents = [await bench.connect(key, era), await bench.connect(only.key, era)] as const
    for (const { client } of agents) if (era === 'newer') await client.listen(CHANGES)
    const choice = { kind: 'list' as const, names: ['echo'] }
    await bench.desk.call('tools.choose', { installationId: two, choice })
    await expect.poll(() => methodsOf(agents[0]), POLL).toEqual([TOOLS_CHANGED])
    expect((await agents[0].ask('tools/list')).tools).toHaveLength(9)
    await bench.desk.call('installation.setEnabled', { installationId: two, enabled: false })
    await expect
      .poll(() => methodsOf(agents[0]).slice(1).toSorted(), POLL)
      .toEqual(['prompts', 'resources', 'tools'].map((one) => `notifications/${one}/list_changed`))
    // What another server does is nothing to who is not shown it.
    expect(agents[1].told).toEqual([])
  })
})

describe.each(ERAS)('D6 what agents of the %s era watch', (era) => {
  const watch = async ({ client, ask }: ConnectedAgent): Promise<void> => {
    if (era === 'newer') await client.listen({ resourceSubscriptions: [URI] })
    else await ask('resources/subscribe', { uri: URI })
  }

  it('is watched once at its server, while that shows it and somebody watches it', async () => {
    await bench.open()
    const refusing = join(tempFolder('refusing'), 'refusing')
    const id = await bench.addServer('one', 'rich.mjs', ['one', refusing])
    const { key, agentId } = await bench.start()
    const watching = [await bench.connect(key, era), await bench.connect(key, era)] as const
    const other = await bench.connect(key, era)
    const updated = async (count: number): Promise<void> => {
      for (const agent of watching)
        await expect.poll(() => updatesOf(agent), POLL).toHaveLength(count)
    }
    const restart = (): Promise<unknown> =>
      bench.desk.call('server.restart', { installationId: id })
    for (const agent of watching) await watch(agent)
    await logged(id, `watches ${URI}`, 1)
    await touch(other)
    await updated(1)
    expect(updatesOf(watching[0])[0]).toMatchObject({ params: { uri: URI } })
    expect(updatesOf(other)).toEqual([])
    await bench.desk.call('agent.setProfile', { agentId, profile: profileOf() })
    await logged(id, `leaves ${URI}`, 1)
    await bench.desk.call('agent.setProfile', { agentId, profile: profileOf(id) })
    await logged(id, `watches ${URI}`, 2)
    // Something may have happened meanwhile.
    await updated(2)
    await restart()
    await logged(id, `watches ${URI}`, 3)
    await touch(other)
    await updated(3)
    // A server that rejects it again is reported once, and asked again at its next start.
    writeFileSync(refusing, '')
    for (let count = 1; count <= 2; count += 1) {
      await restart()
      await logged(id, `refuses ${URI}`, count)
      await updated(4)
    }
    await touch(other)
    await updated(5)
    rmSync(refusing)
    await restart()
    await logged(id, `watches ${URI}`, 4)
    const data = `Updates of ${URI} have stopped: The server rejected resources/subscribe: Not today.`
    const warning = { level: 'warning', logger: 'one', data }
    expect(logsOf(watching[0])).toMatchObject(era === 'newer' ? [] : [warning])
    for (const agent of watching) {
      await agent.client.close()
      // A session lasts until it is ended, whether or not a stream of it is open.
      if (era === 'older') await agent.send(undefined, { method: 'DELETE' })
    }
    await logged(id, `leaves ${URI}`, 2)
  })
})

describe('D6 what changes while an agent of the older era does not listen', () => {
  it('is notified when it does again, once of each kind and resource', async () => {
    const { key, ids } = await bench.start('one')
    const [installationId = ''] = ids
    const other = await bench.connect(key, 'newer')
    const session = await bench.session(key)
    const toolCount = async (): Promise<number> =>
      ((await other.ask('tools/list')).tools as unknown[]).length
    const choose = async (names: string[]): Promise<void> => {
      const choice = { kind: 'list' as const, names }
      await bench.desk.call('tools.choose', { installationId, choice })
      await expect.poll(toolCount, POLL).toBe(names.length)
    }
    /** Changes the tools once more, and waits until all that listen were notified. */
    const chooseAndTell = async (names: string[]): Promise<void> => {
      const stream = await listen(await bench.session(key))
      await choose(names)
      await expect.poll(() => stream.methods, POLL).toContain(TOOLS_CHANGED)
      stream.leave()
    }
    await session.ask({ id: 1, method: 'resources/subscribe', params: { uri: URI } })
    await choose(['echo', 'touch', 'log'])
    await choose(['touch'])
    for (let count = 0; count < 3; count += 1) await touch(other)
    await chooseAndTell(['echo', 'touch'])
    const first = await listen(session)
    await expect.poll(() => first.methods.toSorted(), POLL).toEqual([UPDATED, TOOLS_CHANGED])
    first.leave()
    await chooseAndTell(['echo'])
    const second = await listen(session)
    await expect.poll(() => second.methods, POLL).toEqual([TOOLS_CHANGED])
    second.leave()
  })
})

const log = (name: string, level: string, meta?: object): [string, object] => [
  'tools/call',
  { name: `${name}__log`, arguments: { level }, ...(meta && { _meta: meta }) },
]
const levels = async ([id = '']: readonly string[]): Promise<string[]> =>
  (await bench.desk.log(id)).filter((line) => line.startsWith('level '))

describe('D6 what servers log, for agents of the older era', () => {
  it('is sent from the level that a session requests, and requested of servers from the least', async () => {
    const { key, ids } = await bench.start('one')
    const usual = await bench.connect(key, 'older')
    await usual.ask(...log('one', 'info'))
    const first = { level: 'info', logger: 'one/own', data: { index: 0, of: 'one' }, extra: 1 }
    await expect.poll(() => logsOf(usual), POLL).toEqual([first])
    // As long as nobody says what it wants, servers write what they like.
    expect(await levels(ids)).toEqual([])
    const all = await bench.connect(key, 'older')
    const grave = await bench.connect(key, 'older')
    await grave.ask('logging/setLevel', { level: 'error' })
    // Without a level a session gets the usual messages.
    await expect.poll(() => levels(ids), POLL).toEqual(['level info'])
    await all.ask('logging/setLevel', { level: 'debug' })
    await expect.poll(() => levels(ids), POLL).toEqual(['level info', 'level debug'])
    for (const level of ['debug', 'info', 'error']) await usual.ask(...log('one', level))
    await expect.poll(() => logsOf(all), POLL).toHaveLength(3)
    await expect.poll(() => logsOf(usual), POLL).toHaveLength(3)
    await expect.poll(() => logsOf(grave), POLL).toMatchObject([{ level: 'error' }])
    const loud = grave.ask('logging/setLevel', { level: 'loud' })
    await expect(loud).rejects.toMatchObject({ code: -32_602 })
    // Another connection of the server is asked again.
    await bench.desk.call('server.restart', { installationId: ids[0] ?? '' })
    await expect.poll(() => levels(ids), POLL).toHaveLength(3)
  })

  it('costs a server no more than a few words, however often agents change their minds', async () => {
    const { key, ids } = await bench.start('one')
    const { ask } = await bench.connect(key, 'older')
    for (let round = 0; round < 40; round += 1)
      for (const level of ['debug', 'error']) await ask('logging/setLevel', { level })
    await ask('logging/setLevel', { level: 'warning' })
    // That less is wanted reaches servers after 5 s.
    await expect.poll(async () => (await levels(ids)).at(-1), POLL).toBe('level warning')
    expect((await levels(ids)).length).toBeLessThan(20)
    expect((await levels(ids))[0]).toBe('level debug')
  })

  it('is sent to no agent that is not shown the server', async () => {
    const { key, ids } = await bench.start('one', 'two')
    const list = [{ installationId: ids[0] ?? '', choice: { kind: 'all' as const } }]
    const some = await bench.addAgent('Some', { servers: { kind: 'list', list } })
    const first = await bench.connect(some.key, 'older')
    const second = await bench.connect(key, 'older')
    for (const name of ['two', 'one']) await second.ask(...log(name, 'error'))
    await expect.poll(() => logsOf(second), POLL).toHaveLength(2)
    await expect.poll(() => logsOf(first), POLL).toMatchObject([{ logger: 'one/own' }])
  })
})

describe('D6 what servers log, for agents of the newer era', () => {
  it('is sent on the stream of the request that asks for it, from its own server', async () => {
    const { key } = await bench.start('one', 'two')
    const agent = await bench.connect(key, 'newer')
    const level = (name: string): object => ({ 'io.modelcontextprotocol/logLevel': name })
    await agent.ask(...log('one', 'warning'))
    expect(logsOf(agent)).toEqual([])
    await Promise.all([
      agent.ask(...log('one', 'warning', level('info'))),
      agent.ask(...log('two', 'debug', level('info'))),
      agent.ask(...log('two', 'debug')),
    ])
    expect(logsOf(agent)).toMatchObject([{ level: 'warning', logger: 'one/own' }])
    await agent.ask(...log('two', 'debug', level('debug')))
    expect(logsOf(agent)).toHaveLength(2)
  })
})
