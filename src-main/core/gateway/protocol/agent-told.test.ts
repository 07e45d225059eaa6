import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  AgentBench,
  type AgentEra,
  type ConnectedAgent,
  ERAS,
} from '../../../../e2e/fixtures/agent-bench'
import { POLL } from '../../../../e2e/fixtures/tool-desk'

let bench = new AgentBench()
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(() => bench.close())

const touch = (uri: string): [string, object] => [
  'tools/call',
  { name: 'one__touch', arguments: { uri } },
]

/** Of the log of a server, those with this text. */
async function linesWith(id: string, text: string): Promise<string[]> {
  return (await bench.desk.log(id)).filter((line) => line.includes(text))
}

/** Asks a newer server to be told; older ones tell by themselves. */
async function follow(client: Client, era: AgentEra, filter: object): Promise<void> {
  if (era === 'newer') await client.listen(filter)
}

const CHANGES = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

describe.each(ERAS)('D6 what agents of the %s era are told', (era) => {
  it('is which of their lists changed, and no more', async () => {
    await bench.open()
    const one = await bench.addServer('one')
    const two = await bench.addServer('two')
    const choice = { kind: 'all' } as const
    const both = await bench.addAgent('Both')
    const only = await bench.addAgent('Only one', {
      servers: { kind: 'list', list: [{ installationId: one, choice }] },
    })
    const agents = [await bench.connect(both.key, era), await bench.connect(only.key, era)] as const
    for (const { client } of agents) await follow(client, era, CHANGES)
    await bench.desk.call('tools.choose', {
      installationId: two,
      choice: { kind: 'list', names: ['echo'] },
    })
    await expect
      .poll(() => agents[0].told.map(({ method }) => method), POLL)
      .toEqual(['notifications/tools/list_changed'])
    expect((await agents[0].ask('tools/list')).tools).toHaveLength(9)
    await bench.desk.call('installation.setEnabled', { installationId: two, enabled: false })
    await expect
      .poll(() => new Set(agents[0].told.slice(1).map(({ method }) => method)), POLL)
      .toEqual(
        new Set(
          ['tools', 'prompts', 'resources'].map((one) => `notifications/${one}/list_changed`),
        ),
      )
    // What another server does is nothing to who is not shown it.
    expect(agents[1].told).toEqual([])
  })

  it('is that a resource changed which they watch, from one subscription at the server', async () => {
    await bench.open()
    const id = await bench.addServer('one')
    const uri = 'memo://one'
    const { key } = await bench.addAgent('Anna')
    const first = await bench.connect(key, era)
    const second = await bench.connect(key, era)
    const third = await bench.connect(key, era)
    const watch = async ({ client, ask }: ConnectedAgent): Promise<void> => {
      if (era === 'newer') await client.listen({ resourceSubscriptions: [uri] })
      else await ask('resources/subscribe', { uri })
    }
    await watch(first)
    await watch(second)
    await expect.poll(() => linesWith(id, `watches ${uri}`), POLL).toHaveLength(1)
    await third.ask(...touch(uri))
    const updates = ({ told }: ConnectedAgent): unknown[] =>
      told.filter(({ method }) => method === 'notifications/resources/updated')
    await expect.poll(() => updates(first), POLL).toHaveLength(1)
    await expect.poll(() => updates(second), POLL).toHaveLength(1)
    expect(updates(first)[0]).toMatchObject({ params: { uri } })
    expect(updates(third)).toEqual([])
    // Another session of the server is asked anew.
    await bench.desk.call('server.restart', { installationId: id })
    await expect.poll(() => linesWith(id, `watches ${uri}`), POLL).toHaveLength(2)
    await expect
      .poll(async () => {
        await third.ask(...touch(uri))
        return updates(first).length
      }, POLL)
      .toBeGreaterThan(1)
    await first.client.close()
    await second.client.close()
    if (era === 'older')
      // A session lasts until it is ended, whether or not a stream of it is open.
      for (const agent of [first, second]) await endSession(agent, key)
    await expect.poll(() => linesWith(id, `leaves ${uri}`), POLL).toHaveLength(1)
  })
})

async function endSession({ transport }: ConnectedAgent, key: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    'mcp-session-id': transport.sessionId ?? '',
  }
  await fetch(bench.url, { method: 'DELETE', headers })
}
