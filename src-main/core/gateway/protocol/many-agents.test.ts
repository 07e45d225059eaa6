import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'

import { AgentBench, type ConnectedAgent, ERAS, textOf } from '../../../../e2e/fixtures/agent-bench'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { POLL, Profile } from '../../../../e2e/fixtures/tool-desk'

const bench = new AgentBench()
afterEach(() => bench.close())

type Made = { agent: number; server: string; ms: number; times: number }
const SERVERS = ['one', 'two', 'three'] as const
const AGENTS = 6

describe('D6 many agents and many servers', () => {
  it('get each his own answers and reports, in whatever order servers give them, from one process of each server', async () => {
    await bench.open({ agentRate: 1_000_000, agentCalls: 512 })
    const ids = await Promise.all(SERVERS.map((name) => bench.addServer(name)))
    const pids = ids.map((id) => bench.desk.session(id).pid)
    const agents = await Promise.all(
      Array.from({ length: AGENTS }, async (_, index) => {
        const { key } = await bench.addAgent(`Agent ${String(index)}`)
        return bench.connect(key, ERAS[index % 2] ?? 'older')
      }),
    )
    const calls = fc.array(
      fc.record({
        agent: fc.nat(AGENTS - 1),
        server: fc.constantFrom(...SERVERS),
        ms: fc.nat(30),
        times: fc.nat(5),
      }),
      { minLength: 20, maxLength: 60 },
    )
    let value = 0
    const make = async ({ agent, server, ms, times }: Made): Promise<void> => {
      value += 1
      const own = value
      const [tool, args] =
        times === 0 ? ['echo', { ms, value: own }] : ['report', { times, value: own }]
      const heard: string[] = []
      const onprogress = ({ message = '' }: { message?: string }): void => void heard.push(message)
      const call = { name: `${server}__${tool}`, arguments: args }
      const options = times === 0 ? {} : { onprogress }
      const text = times === 0 ? `${server}: ${own}` : `${server} ${own}`
      expect(await agents[agent]?.ask('tools/call', call, options)).toMatchObject({
        content: [{ text }],
      })
      expect(heard).toEqual(Array.from({ length: times }, (_, at) => `${text} ${at + 1}`))
    }
    await fc.assert(
      fc.asyncProperty(calls, async (made) => void (await Promise.all(made.map(make)))),
      { numRuns: 25 },
    )
    expect(ids.map((id) => bench.desk.session(id).pid)).toEqual(pids)
    expect(ids.map((id) => bench.desk.session(id).inFlight)).toEqual([0, 0, 0])
  }, 60_000)
})

async function toolsOf({ ask }: ConnectedAgent): Promise<string[]> {
  const { tools } = (await ask('tools/list')) as { tools: { name: string }[] }
  return tools.map(({ name }) => name)
}

describe.each(ERAS)('D6 an agent of the %s era that comes while servers start', (era) => {
  it('gets the lists of before at once, and what it calls and what changed when they serve', async () => {
    const profile = new Profile()
    onTestFinished(() => profile.close())
    const folder = tempFolder('starting')
    const [gate, file] = [join(folder, 'gate'), join(folder, 'offer.json')]
    const offer = (...tools: string[]): void => writeFileSync(file, JSON.stringify({ tools }))
    const kind = async (): Promise<string> => (await bench.desk.view(id)).status.kind

    offer('first', 'second')
    await bench.reopen(profile)
    const id = await bench.addServer('shop', 'late-start.mjs', [gate, file])
    const { key } = await bench.addAgent('Anna')

    writeFileSync(gate, '')
    offer('first')
    await bench.reopen(profile)
    await bench.untilOpen()
    const agent = await bench.connect(key, era)
    if (era === 'newer') await agent.client.listen({ toolsListChanged: true })
    expect(await toolsOf(agent)).toEqual(['shop__first', 'shop__second'])
    const answers: string[] = []
    const params = { name: 'shop__first', arguments: { a: 1 } }
    const called = agent.ask('tools/call', params).then((result) => answers.push(textOf(result)))
    await expect.poll(kind, POLL).toBe('starting')
    // What is listed and called meanwhile waits for nothing, and for the server alone.
    expect(await toolsOf(agent)).toEqual(['shop__first', 'shop__second'])
    expect(await kind()).toBe('starting')
    expect({ answers, told: agent.told }).toEqual({ answers: [], told: [] })

    rmSync(gate)
    await called
    expect(answers).toEqual(['{"name":"first","arguments":{"a":1}}'])
    await expect
      .poll(() => agent.told.map(({ method }) => method), POLL)
      .toEqual(['notifications/tools/list_changed'])
    expect(await toolsOf(agent)).toEqual(['shop__first'])
    const heard = (await bench.desk.log(id)).filter((line) => line.startsWith('called '))
    expect(heard).toHaveLength(1)
  })
})
