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

/** Of the log of a server, those with this text. */
async function linesWith(id: string, text: string): Promise<string[]> {
  return (await bench.desk.log(id)).filter((line) => line.includes(text))
}

const methodsOf = ({ told }: ConnectedAgent): string[] => told.map(({ method }) => method)
const updatesOf = ({ told }: ConnectedAgent): unknown[] =>
  told.filter(({ method }) => method === UPDATED)

const touch = ({ ask }: ConnectedAgent): Promise<unknown> =>
  ask('tools/call', { name: 'one__touch', arguments: { uri: URI } })

const profileOf = (...ids: string[]): AgentProfile => {
  const choice = { kind: 'all' as const }
  const list = ids.map((installationId) => ({ installationId, choice }))
  return AgentProfile.parse({ servers: { kind: 'list', list } })
}

/** Opens the stream of a session and hears what is told on it until it is left. */
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

describe.each(ERAS)('D6 what agents of the %s era are told', (era) => {
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

  it('is watched by one subscription at the server, until nobody watches it', async () => {
    const { key, ids } = await bench.start('one')
    const [id = ''] = ids
    const first = await bench.connect(key, era)
    const second = await bench.connect(key, era)
    const third = await bench.connect(key, era)
    await watch(first)
    await watch(second)
    await expect.poll(() => linesWith(id, `watches ${URI}`), POLL).toHaveLength(1)
    await touch(third)
    await expect.poll(() => updatesOf(first), POLL).toHaveLength(1)
    await expect.poll(() => updatesOf(second), POLL).toHaveLength(1)
    expect(updatesOf(first)[0]).toMatchObject({ params: { uri: URI } })
    expect(updatesOf(third)).toEqual([])
    // Another session of the server is asked anew.
    await bench.desk.call('server.restart', { installationId: id })
    await expect.poll(() => linesWith(id, `watches ${URI}`), POLL).toHaveLength(2)
    await expect
      .poll(async () => {
        await touch(third)
        return updatesOf(first).length
      }, POLL)
      .toBeGreaterThan(1)
    for (const agent of [first, second]) {
      await agent.client.close()
      // A session lasts until it is ended, whether or not a stream of it is open.
      if (era === 'older') await agent.send(undefined, { method: 'DELETE' })
    }
    await expect.poll(() => linesWith(id, `leaves ${URI}`), POLL).toHaveLength(1)
  })

  it('is left while the profile hides its server, and watched again when it does not', async () => {
    const { key, agentId, ids } = await bench.start('one')
    const [one = ''] = ids
    const agent = await bench.connect(key, era)
    await watch(agent)
    await expect.poll(() => linesWith(one, `watches ${URI}`), POLL).toHaveLength(1)
    await bench.desk.call('agent.setProfile', { agentId, profile: profileOf() })
    await expect.poll(() => linesWith(one, `leaves ${URI}`), POLL).toHaveLength(1)
    expect(updatesOf(agent)).toHaveLength(0)
    await bench.desk.call('agent.setProfile', { agentId, profile: profileOf(one) })
    await expect.poll(() => linesWith(one, `watches ${URI}`), POLL).toHaveLength(2)
    // Something may have happened meanwhile.
    await expect.poll(() => updatesOf(agent), POLL).toHaveLength(1)
    await touch(agent)
    await expect.poll(() => updatesOf(agent), POLL).toHaveLength(2)
  })

  it('is told once when its server refuses it anew, and asked for again at its next start', async () => {
    await bench.open()
    const refusing = join(tempFolder('refusing'), 'refusing')
    const id = await bench.addServer('one', 'rich.mjs', ['one', refusing])
    const { key } = await bench.start()
    const agent = await bench.connect(key, era)
    await watch(agent)
    await expect.poll(() => linesWith(id, `watches ${URI}`), POLL).toHaveLength(1)
    writeFileSync(refusing, '')
    for (let restart = 1; restart <= 2; restart += 1) {
      await bench.desk.call('server.restart', { installationId: id })
      await expect.poll(() => linesWith(id, `refuses ${URI}`), POLL).toHaveLength(restart)
      await expect.poll(() => updatesOf(agent), POLL).toHaveLength(1)
    }
    // What is told twice has come before this.
    await touch(agent)
    await expect.poll(() => updatesOf(agent), POLL).toHaveLength(2)
    rmSync(refusing)
    await bench.desk.call('server.restart', { installationId: id })
    await expect.poll(() => linesWith(id, `watches ${URI}`), POLL).toHaveLength(2)
    const data = `Updates of ${URI} have stopped: The server rejected resources/subscribe: Not today.`
    const warning = { params: { level: 'warning', logger: 'one', data } }
    const warnings = agent.told.filter(({ method }) => method === 'notifications/message')
    expect(warnings).toMatchObject(era === 'newer' ? [] : [warning])
  })
})

describe('D6 what changes while an agent of the older era does not listen', () => {
  it('is told when it does again, once of each kind and resource', async () => {
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
    /** Changes the tools once more, and waits until whoever listens was told. */
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
