import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, type ConnectedAgent, ERAS } from '../../../../e2e/fixtures/agent-bench'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { POLL } from '../../../../e2e/fixtures/tool-desk'
import { AgentProfile } from '../../../../src-shared/domain/agents/agent'

let bench = new AgentBench()
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(() => bench.close())

const URI = 'memo://one'

/** Of the log of a server, those with this text. */
async function linesWith(id: string, text: string): Promise<string[]> {
  return (await bench.desk.log(id)).filter((line) => line.includes(text))
}

const updates = ({ told }: ConnectedAgent): unknown[] =>
  told.filter(({ method }) => method === 'notifications/resources/updated')

/** A session without a stream. */
async function begin(key: string): Promise<RequestInit> {
  const clientInfo = { name: 'raw', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const answer = await bench.post(key, { id: 0, method: 'initialize', params })
  await answer.text()
  return { headers: { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' } }
}

/** Opens the stream of a session and hears what is told on it until it is left. */
async function listen(
  key: string,
  session: RequestInit,
): Promise<{ readonly methods: string[]; leave: () => void }> {
  const leaving = new AbortController()
  const { signal } = leaving
  const { body } = await bench.post(key, undefined, { ...session, method: 'GET', signal })
  const methods: string[] = []
  const hear = async (): Promise<void> => {
    for await (const chunk of body ?? [])
      for (const line of Buffer.from(chunk).toString().split('\n'))
        if (line.startsWith('data: '))
          methods.push((JSON.parse(line.slice('data: '.length)) as { method: string }).method)
  }
  hear().catch(() => undefined) // it was left
  return { methods, leave: () => leaving.abort() }
}

describe('D6 what changes while an agent of the older era does not listen', () => {
  it('is told when it does again, once of each kind and resource', async () => {
    await bench.open()
    const id = await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const other = await bench.connect(key, 'newer')
    const session = await begin(key)
    const choose = async (names: string[]): Promise<void> => {
      await bench.desk.call('tools.choose', {
        installationId: id,
        choice: { kind: 'list', names },
      })
      await expect
        .poll(async () => (await other.ask('tools/list')).tools, POLL)
        .toHaveLength(names.length)
    }
    /** Changes the tools once more, and waits until whoever listens was told. */
    const chooseAndTell = async (names: string[]): Promise<void> => {
      const stream = await listen(key, await begin(key))
      await choose(names)
      await expect.poll(() => stream.methods, POLL).toContain('notifications/tools/list_changed')
      stream.leave()
    }
    const params = { uri: URI }
    await (await bench.post(key, { id: 1, method: 'resources/subscribe', params }, session)).text()
    await choose(['echo', 'touch', 'log'])
    await choose(['touch'])
    for (let count = 0; count < 3; count += 1)
      await other.ask('tools/call', { name: 'one__touch', arguments: { uri: URI } })
    await chooseAndTell(['echo', 'touch'])
    const first = await listen(key, session)
    await expect
      .poll(() => first.methods.toSorted(), POLL)
      .toEqual(['notifications/resources/updated', 'notifications/tools/list_changed'])
    first.leave()
    await chooseAndTell(['echo'])
    const second = await listen(key, session)
    await expect.poll(() => second.methods, POLL).toEqual(['notifications/tools/list_changed'])
    second.leave()
  })
})

describe.each(ERAS)('D6 what agents of the %s era watch', (era) => {
  const watch = async ({ client, ask }: ConnectedAgent): Promise<void> => {
    if (era === 'newer') await client.listen({ resourceSubscriptions: [URI] })
    else await ask('resources/subscribe', { uri: URI })
  }

  it('is left while the profile hides its server, and watched again when it does not', async () => {
    await bench.open()
    const one = await bench.addServer('one')
    const { key, agentId } = await bench.addAgent('Anna')
    const agent = await bench.connect(key, era)
    await watch(agent)
    await expect.poll(() => linesWith(one, `watches ${URI}`), POLL).toHaveLength(1)
    const show = async (...ids: string[]): Promise<void> => {
      const list = ids.map((installationId) => {
        return { installationId, choice: { kind: 'all' as const } }
      })
      const profile = AgentProfile.parse({ servers: { kind: 'list', list } })
      await bench.desk.call('agent.setProfile', { agentId, profile })
    }
    await show()
    await expect.poll(() => linesWith(one, `leaves ${URI}`), POLL).toHaveLength(1)
    expect(updates(agent)).toHaveLength(0)
    await show(one)
    await expect.poll(() => linesWith(one, `watches ${URI}`), POLL).toHaveLength(2)
    // Something may have happened meanwhile.
    await expect.poll(() => updates(agent), POLL).toHaveLength(1)
    await agent.ask('tools/call', { name: 'one__touch', arguments: { uri: URI } })
    await expect.poll(() => updates(agent), POLL).toHaveLength(2)
  })

  it('is told once when its server refuses it anew, and asked for again at its next start', async () => {
    await bench.open()
    const refusing = join(tempFolder('refusing'), 'refusing')
    const id = await bench.addServer('one', 'rich.mjs', ['one', refusing])
    const { key } = await bench.addAgent('Anna')
    const agent = await bench.connect(key, era)
    await watch(agent)
    await expect.poll(() => linesWith(id, `watches ${URI}`), POLL).toHaveLength(1)
    writeFileSync(refusing, '')
    for (let restart = 1; restart <= 2; restart += 1) {
      await bench.desk.call('server.restart', { installationId: id })
      await expect.poll(() => linesWith(id, `refuses ${URI}`), POLL).toHaveLength(restart)
      await expect.poll(() => updates(agent), POLL).toHaveLength(1)
    }
    // What is told twice has come before this.
    await agent.ask('tools/call', { name: 'one__touch', arguments: { uri: URI } })
    await expect.poll(() => updates(agent), POLL).toHaveLength(2)
    rmSync(refusing)
    await bench.desk.call('server.restart', { installationId: id })
    await expect.poll(() => linesWith(id, `watches ${URI}`), POLL).toHaveLength(2)
    const warnings = agent.told.filter(({ method }) => method === 'notifications/message')
    expect(warnings).toMatchObject(
      era === 'newer'
        ? []
        : [
            {
              params: {
                level: 'warning',
                logger: 'one',
                data: `Updates of ${URI} have stopped: The server rejected resources/subscribe: Not today.`,
              },
            },
          ],
    )
  })
})
