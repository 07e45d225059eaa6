import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http'

import { afterEach, describe, expect, it } from 'vitest'

import { AgentBench } from '../../../../e2e/fixtures/agent-bench'

const bench = new AgentBench()
afterEach(() => bench.close())

/** A look at what came takes some milliseconds. */
const SLOW = { timeout: 25_000, interval: 200 }
const ping = { id: 1, method: 'ping' }
const inSession = (session: string): RequestInit => ({ headers: { 'mcp-session-id': session } })

async function begin(key: string): Promise<string> {
  const clientInfo = { name: 'deaf', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const answer = await bench.post(key, { id: 0, method: 'initialize', params })
  await answer.text()
  return answer.headers.get('mcp-session-id') ?? ''
}

/** More than a connection holds on its way, however large the buffers of the system are; few long messages cost less time than many short ones. */
const FLOOD_BYTES = 30_000_000

/** Log messages that an agent was told of, be it by their number alone. */
function countTold(text: string): { heard: number; leftOut: number } {
  const gaps = [...text.matchAll(/"(\d+) messages were dropped/gu)]
  const messages = text.split('"method":"notifications/message"').length - 1
  const leftOut = gaps.reduce((sum, [, count]) => sum + Number(count), 0)
  return { heard: messages - gaps.length, leftOut }
}

describe('D6 agents that do not read', () => {
  it('go without some of what servers log, and go on when their stream breaks', async () => {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const session = await begin(key)
    const deaf = await openDeaf(key, session)
    const value = 'x'.repeat(10_000)
    const times = FLOOD_BYTES / value.length / 4
    const params = { name: 'one__log', arguments: { level: 'error', times, value } }
    for (let id = 10; id < 14; id += 1)
      await (await bench.post(key, { id, method: 'tools/call', params }, inSession(session))).text()
    deaf.read()
    const told = (): ReturnType<typeof countTold> => countTold(deaf.text())
    await expect.poll(() => told().heard + told().leftOut, SLOW).toBe(4 * times)
    expect(told().heard).toBeGreaterThan(100)
    expect(told().heard).toBeLessThan(2 * times)
    deaf.leave()
    expect((await bench.post(key, ping, inSession(session))).status).toBe(200)
  })

  it('get of a flood of reports the newest, and the answer', async () => {
    await bench.open()
    const id = await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const session = await begin(key)
    const value = 'x'.repeat(100_000)
    const times = FLOOD_BYTES / value.length
    const args = { times, value }
    const params = { name: 'one__report', arguments: args, _meta: { progressToken: 'p' } }
    const deaf = await openDeaf(key, session, {
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params,
    })
    const isThrough = async (): Promise<boolean> =>
      (await bench.desk.log(id)).some((line) => line.includes(`reported ${times} times`))
    await expect.poll(isThrough, SLOW).toBe(true)
    // What it said before is there when it answers another call.
    const other = { name: 'one__echo', arguments: {} }
    await (
      await bench.post(key, { id: 10, method: 'tools/call', params: other }, inSession(session))
    ).text()
    deaf.read()
    await expect.poll(() => deaf.text().slice(-2 * value.length), SLOW).toContain('"id":9,"result"')
    expect(deaf.text().split('event: message').length - 1).toBeLessThan(times)
    expect(deaf.text()).toContain(`"progress":${times},`)
  })
})

/** A stream of a session that nobody reads before `read`; `text` is what came since. */
async function openDeaf(
  key: string,
  session: string,
  message?: object,
): Promise<{ read: () => void; text: () => string; leave: () => void }> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  const sent = request(
    bench.url,
    {
      agent: new HttpAgent(),
      method: message ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        accept: message ? 'application/json, text/event-stream' : 'text/event-stream',
        ...(message && { 'content-type': 'application/json' }),
        'mcp-session-id': session,
      },
    },
    (answer) => {
      answer.pause()
      resolve(answer)
    },
  )
  sent.on('error', () => undefined).end(message && JSON.stringify(message))
  const answer = await promise
  const chunks: Buffer[] = []
  return {
    text: () => Buffer.concat(chunks).toString(),
    read: () => void answer.on('data', (chunk: Buffer) => chunks.push(chunk)).resume(),
    leave: () => void sent.destroy(),
  }
}
