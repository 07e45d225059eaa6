import { afterEach, describe, expect, it } from 'vitest'

import { AgentBench, type ConnectedAgent } from '../../../../e2e/fixtures/agent-bench'
import { POLL } from '../../../../e2e/fixtures/tool-desk'

const bench = new AgentBench()
afterEach(() => bench.close())

const log = (name: string, level: string, meta?: object): [string, object] => [
  'tools/call',
  { name: `${name}__log`, arguments: { level }, ...(meta && { _meta: meta }) },
]
const logged = ({ told }: ConnectedAgent): unknown[] =>
  told.filter(({ method }) => method === 'notifications/message').map(({ params }) => params)
const levels = async ([id = '']: readonly string[]): Promise<string[]> =>
  (await bench.desk.log(id)).filter((line) => line.startsWith('level '))

describe('D6 what servers log, for agents of the older era', () => {
  it('is told from the level on that a session asks for, and asked of servers from the least', async () => {
    const { key, ids } = await bench.start('one')
    const usual = await bench.connect(key, 'older')
    await usual.ask(...log('one', 'info'))
    const first = { level: 'info', logger: 'one/own', data: { index: 0, of: 'one' }, extra: 1 }
    await expect.poll(() => logged(usual), POLL).toEqual([first])
    // As long as nobody says what it wants, servers write what they like.
    expect(await levels(ids)).toEqual([])
    const all = await bench.connect(key, 'older')
    const grave = await bench.connect(key, 'older')
    await grave.ask('logging/setLevel', { level: 'error' })
    // Who never said a level is told what is usual.
    await expect.poll(() => levels(ids), POLL).toEqual(['level info'])
    await all.ask('logging/setLevel', { level: 'debug' })
    await expect.poll(() => levels(ids), POLL).toEqual(['level info', 'level debug'])
    for (const level of ['debug', 'info', 'error']) await usual.ask(...log('one', level))
    await expect.poll(() => logged(all), POLL).toHaveLength(3)
    await expect.poll(() => logged(usual), POLL).toHaveLength(3)
    await expect.poll(() => logged(grave), POLL).toMatchObject([{ level: 'error' }])
    const loud = grave.ask('logging/setLevel', { level: 'loud' })
    await expect(loud).rejects.toMatchObject({ code: -32_602 })
    // Another connection of the server is asked anew.
    await bench.desk.call('server.restart', { installationId: ids[0] ?? '' })
    await expect.poll(() => levels(ids), POLL).toHaveLength(3)
  })

  it('costs a server no more than a few words, however often agents change their minds', async () => {
    const { key, ids } = await bench.start('one')
    const { ask } = await bench.connect(key, 'older')
    for (let round = 0; round < 40; round += 1)
      for (const level of ['debug', 'error']) await ask('logging/setLevel', { level })
    await ask('logging/setLevel', { level: 'warning' })
    // That less is wanted is told after 5 s.
    await expect.poll(async () => (await levels(ids)).at(-1), POLL).toBe('level warning')
    expect((await levels(ids)).length).toBeLessThan(20)
    expect((await levels(ids))[0]).toBe('level debug')
  })

  it('is told to nobody who is not shown the server', async () => {
    const { key, ids } = await bench.start('one', 'two')
    const list = [{ installationId: ids[0] ?? '', choice: { kind: 'all' as const } }]
    const some = await bench.addAgent('Some', { servers: { kind: 'list', list } })
    const first = await bench.connect(some.key, 'older')
    const second = await bench.connect(key, 'older')
    for (const name of ['two', 'one']) await second.ask(...log(name, 'error'))
    await expect.poll(() => logged(second), POLL).toHaveLength(2)
    await expect.poll(() => logged(first), POLL).toMatchObject([{ logger: 'one/own' }])
  })
})

describe('D6 what servers log, for agents of the newer era', () => {
  it('is told on the stream of the request that asks for it, of its own server', async () => {
    const { key } = await bench.start('one', 'two')
    const agent = await bench.connect(key, 'newer')
    const level = (name: string): object => ({ 'io.modelcontextprotocol/logLevel': name })
    await agent.ask(...log('one', 'warning'))
    expect(logged(agent)).toEqual([])
    await Promise.all([
      agent.ask(...log('one', 'warning', level('info'))),
      agent.ask(...log('two', 'debug', level('info'))),
      agent.ask(...log('two', 'debug')),
    ])
    expect(logged(agent)).toMatchObject([{ level: 'warning', logger: 'one/own' }])
    await agent.ask(...log('two', 'debug', level('debug')))
    expect(logged(agent)).toHaveLength(2)
  })
})
