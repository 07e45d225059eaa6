import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'

import { AgentBench, ERAS } from '../../../../e2e/fixtures/agent-bench'

const bench = new AgentBench()
afterEach(() => bench.close())

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
        times: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      }),
      { minLength: 20, maxLength: 60 },
    )
    let last = 0
    await fc.assert(
      fc.asyncProperty(calls, async (made) => {
        const answers = await Promise.all(
          made.map(async ({ agent, server, ms, times }) => {
            last += 1
            const value = last
            const heard: string[] = []
            const onprogress = ({ message = '' }: { message?: string }): void => {
              heard.push(message)
            }
            const name = times === undefined ? `${server}__echo` : `${server}__report`
            const args = times === undefined ? { ms, value } : { times, value }
            const options = times === undefined ? {} : { onprogress }
            const result = await agents[agent]?.ask(
              'tools/call',
              { name, arguments: args },
              options,
            )
            return { value, server, times, heard, result }
          }),
        )
        for (const { value, server, times, heard, result } of answers) {
          const text = times === undefined ? `${server}: ${value}` : `${server} ${value}`
          expect(result).toMatchObject({ content: [{ text }] })
          const reports = Array.from(
            { length: times ?? 0 },
            (_, at) => `${server} ${value} ${at + 1}`,
          )
          expect(heard).toEqual(reports)
        }
      }),
      { numRuns: 25 },
    )
    expect(ids.map((id) => bench.desk.session(id).pid)).toEqual(pids)
    expect(ids.map((id) => bench.desk.session(id).inFlight)).toEqual([0, 0, 0])
  }, 60_000)
})
