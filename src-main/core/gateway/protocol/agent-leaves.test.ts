import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench } from '../../../../e2e/fixtures/agent-bench'
import { POLL } from '../../../../e2e/fixtures/tool-desk'

let bench = new AgentBench()
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(() => bench.close())

const CALLS = 2
const echo = (ms: number, meta?: object): object => ({
  method: 'tools/call',
  params: { name: 'one__echo', arguments: { ms, value: 1 }, ...(meta && { _meta: meta }) },
})

describe('D6 an agent that leaves its calls behind', () => {
  // The second way is taken by calls that need a stream.
  it.each([
    ['as JSON', undefined],
    ['as a stream', { progressToken: 1 }],
  ])(
    'has them under way until they are over, %s',
    async (_way, meta) => {
      await bench.open({ agentCalls: CALLS })
      await bench.addServer('one')
      const { key } = await bench.addAgent('Anna')
      const agent = await bench.connect(key, 'older')
      for (let id = 100; id < 100 + CALLS; id += 1) {
        const leaving = new AbortController()
        const sent = agent.send({ id, ...echo(4_000, meta) }, { signal: leaving.signal })
        // What is answered at once tells that the call before it has come.
        await (await agent.send({ method: 'notifications/nothing' })).text()
        leaving.abort()
        await sent.then((answer) => answer.text()).catch(() => undefined) // it was left
      }
      const next = async (): Promise<number> => {
        const answer = await agent.send({ id: 7, ...echo(0) })
        await answer.text()
        return answer.status
      }
      await expect.poll(next, { ...POLL, interval: 100 }).toBe(429)
      await expect.poll(next, { timeout: 15_000, interval: 200 }).toBe(200)
    },
    30_000,
  )

  it('has room for calls while it listens', async () => {
    await bench.open({ agentCalls: 1 })
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const agent = await bench.connect(key, 'newer')
    await agent.client.listen({ toolsListChanged: true })
    await agent.client.listen({ resourceSubscriptions: ['memo://one'] })
    expect(await agent.ask('tools/call', { name: 'one__echo', arguments: {} })).toMatchObject({
      own: 'one',
    })
  })
})
