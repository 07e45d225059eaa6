import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  ListenerHarness,
  listenFor,
  openStream,
  PROFILE,
  refusalIn,
  statuses,
} from '../../../e2e/fixtures/listener-harness'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { pause } from '../../../e2e/fixtures/pause'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { bindLoopback, LOOPBACK_6 } from '../listener/bind-loopback'
import { AgentLimits, MAX_STREAMS, MAX_SUBSCRIPTIONS, QUEUE_MS } from './agent-limits'
import { UNAUTHENTICATED_LIMIT } from './gateway-listener'

let harness: ListenerHarness
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  harness = await new ListenerHarness(tempFolder('door'), clock).open()
})
afterEach(() => harness.close())

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
const LISTEN = CALL.replace('tools/call', 'subscriptions/listen')
const connections = (agentId = 'anna'): number => harness.listener.connectionsOf(agentId)
const statusOf = async (body?: string): Promise<number> =>
  (await harness.ask(body === undefined ? {} : { body })).status

/** Allows this many calls, and holds back their responses until the returned function is called. */
function hold(agentCalls: number): () => void {
  const released = Promise.withResolvers<undefined>()
  Object.assign(harness.limits, { agentCalls })
  harness.answer = async ({ response }) => {
    await released.promise
    response.end('{}')
  }
  return () => released.resolve(undefined)
}

describe('D6: the limits of an agent', () => {
  it('reject excess calls after 10 s, but no notifications, no responses and no other agent', async () => {
    const release = hold(3)
    const calls = [1, 2, 3].map(() => harness.ask({ body: CALL }))
    await expect.poll(() => harness.served.length).toBe(3)
    const bodies = [CALL, '[]', '{"id":1,"method":"x"}', 'no JSON', CALL + ' '.repeat(100_000)]
    const others = bodies.map((body) => harness.ask({ body, agent: false }))
    await expect.poll(() => clock.waiting).toBe(bodies.length)
    clock.pass(QUEUE_MS)
    for (const { status, headers, text } of await Promise.all(others)) {
      expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '1' })
      expect(refusalIn(text)).toContain('3 concurrent requests')
    }
    expect(harness.served.length).toBe(3)
    const { key } = await harness.agents.add('Bert', PROFILE)
    harness.answer = undefined
    expect((await harness.ask({ key })).status).toBe(200)
    for (const body of [
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
      '{"jsonrpc":"2.0","id":7,"result":{"action":"accept"}}',
    ])
      expect(await statusOf(body)).toBe(200)
    release()
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await statusOf(CALL)).toBe(200)
  })

  it('queue excess calls and serve them in order', async () => {
    Object.assign(harness.limits, { agentCalls: 64 })
    const waiting: (() => void)[] = []
    const order: unknown[] = []
    harness.answer = async ({ response, message }) => {
      if (message?.kind === 'request') order.push(message.id)
      await new Promise<void>((resolve) => waiting.push(resolve))
      response.end('{}')
    }
    const answers: Promise<number>[] = []
    for (let id = 1; id <= 120; id += 1) {
      const sent = harness.ask({ body: CALL.replace('1', String(id)), agent: false })
      answers.push(sent.then(({ status }) => status))
      // Sending one by one fixes the order of the queue.
      await expect.poll(() => order.length + clock.waiting).toBe(id)
    }
    expect(order).toHaveLength(64)
    // A call that left the queue isn't served.
    const { socket } = await harness.send(
      `${harness.head(`Content-Length: ${CALL.length}`)}${CALL.replace('1', '0')}`,
    )
    await expect.poll(() => clock.waiting).toBe(57)
    socket.destroy()
    await expect.poll(() => clock.waiting).toBe(56)
    while (order.length < 120 || waiting.length > 0) {
      for (const end of waiting.splice(0)) end()
      await expect.poll(() => order.length === 120 || waiting.length > 0).toBe(true)
      if (order.length === 120 && waiting.length === 0) break
    }
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    expect(order).toEqual(Array.from({ length: 120 }, (_, at) => String(at + 1)))
  })

  it('count streams separately', async () => {
    harness.answer = openStream
    Object.assign(harness.limits, { agentCalls: 1 })
    const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, () => harness.listen()))
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await harness.listen()).status).toBe(429)
    expect(await statusOf()).toBe(200)
    streams[0]?.socket.destroy()
    await expect.poll(async () => (await harness.listen()).status).toBe(200)
  })

  it('count subscriptions separately, by the method in the body', async () => {
    const release = hold(1)
    const headers = { 'mcp-method': 'subscriptions/listen' }
    const ask = async (body: string): Promise<number> =>
      (await harness.ask({ headers, body })).status
    const under = Array.from({ length: MAX_SUBSCRIPTIONS }, () => ask(LISTEN))
    // The header alone doesn't make a call a subscription.
    under.push(ask(CALL))
    await expect.poll(() => harness.served.length).toBe(MAX_SUBSCRIPTIONS + 1)
    expect(await ask(LISTEN)).toBe(429)
    const call = ask(CALL)
    await expect.poll(() => clock.waiting).toBe(1)
    clock.pass(QUEUE_MS)
    expect(await call).toBe(429)
    release()
    expect(new Set(await Promise.all(under))).toEqual(new Set([200]))
  })

  it('cover work that continues after its connection is gone', async () => {
    Object.assign(harness.limits, { agentCalls: 2 })
    const ended = Promise.withResolvers<undefined>()
    harness.answer = async ({ hold }) => {
      const working = hold()
      await ended.promise
      working[Symbol.dispose]()
    }
    // Reconnecting doesn't raise the limit.
    for (let count = 1; count <= 2; count += 1) {
      const { socket } = await harness.send(`${harness.head('Content-Length: 2')}{}`)
      await expect.poll(() => harness.served.length).toBe(count)
      socket.destroy()
    }
    await expect.poll(() => connections()).toBe(0)
    harness.answer = undefined
    const later = statusOf(CALL)
    await expect.poll(() => clock.waiting).toBe(1)
    ended.resolve(undefined)
    expect(await later).toBe(200)
  })

  it('bound its connections, and a connection counts for every agent whose key was sent on it', async () => {
    const { key } = await harness.agents.add('Bert', PROFILE)
    harness.answer = openStream
    Object.assign(harness.limits, { agentCalls: 1, maxMessageMb: 1 })
    for (const options of [{}, { key }, {}]) expect((await harness.ask(options)).status).toBe(200)
    expect([connections(), connections('bert')]).toEqual([1, 1])
    const head = harness.head('Content-Length: 9')
    const others = await Promise.all(Array.from({ length: 448 }, () => harness.send(head)))
    await expect.poll(() => connections()).toBe(449)
    expect((await harness.ask({ agent: false })).status).toBe(429)
    expect((await harness.ask({ key, agent: false })).status).toBe(200)
    for (const { socket } of others) socket.destroy()
    await expect.poll(() => connections()).toBe(1)
    expect((await harness.ask({ agent: false })).status).toBe(200)
    harness.disconnect()
    await expect.poll(() => [connections(), connections('bert')]).toEqual([0, 0])
  })

  it('cover pipelined requests, which are served in order', async () => {
    const release = hold(2)
    const one = `${harness.head('Content-Length: 2')}{}`
    const { socket: line, back } = await harness.send(one.repeat(2))
    await expect.poll(() => harness.served.length).toBe(1)
    // Requests after the rejected one aren't read while the first still runs.
    line.write(one.repeat(200))
    expect((await harness.ask({ key: 'none' })).status).toBe(401)
    expect(harness.served.length).toBe(1)
    release()
    expect(statuses(await back)).toEqual([200, 400])
    // Requests whose connection was closed take no slot.
    for (let round = 0; round < 5; round += 1) {
      const { socket } = await harness.send(one.repeat(20))
      await expect.poll(() => harness.served.length).toBeGreaterThan(1 + round)
      socket.destroy()
    }
    expect(await Promise.all([statusOf(), statusOf()])).toEqual([200, 200])
  })

  it('allow the requests of a minute immediately, then as many as the rate allows', () => {
    const clock = new ManualClock()
    const settings = { agentCalls: 1, agentRate: 60 }
    const limits = new AgentLimits(() => settings, clock)
    const sent = (agentId: string, ms: number): number => {
      clock.pass(ms)
      let count = 0
      while (count < 100 && limits.request(agentId) === undefined) count += 1
      return count
    }
    expect([sent('anna', 0), sent('bert', 0)]).toEqual([60, 60])
    expect(limits.request('anna')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect([2_500, 500, 600_000].map((ms) => sent('anna', ms))).toEqual([2, 1, 60])
    settings.agentRate = 10
    expect(limits.request('anna')?.headers).toEqual({ 'retry-after': '6' })
    expect(sent('anna', 6_000)).toBe(1)
  })

  it('report over HTTP that the rate is reached', async () => {
    Object.assign(harness.limits, { agentRate: 1 })
    expect(await statusOf()).toBe(200)
    const { status, headers, text } = await harness.ask()
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(refusalIn(text)).toContain('Rate limit reached')
  })
})

describe('D6: slow clients', () => {
  beforeEach(async () => {
    await harness.close()
    const limits = { headersTimeout: 1_500, requestTimeout: 2_000, connectionsCheckingInterval: 50 }
    harness = await new ListenerHarness(tempFolder('door')).open(limits)
  })

  it.each([
    ['sends nothing', ''],
    ['sends its header slowly', 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: '],
    ['sends its body slowly', 'BODY'],
  ])('are cut off if one %s', async (_what, start) => {
    const head = harness.head('Content-Length: 100000')
    const { socket, back } = await harness.send(start.replace('BODY', head))
    const dribbling = setInterval(() => start !== '' && socket.write('x'), 20)
    expect(await statusOf()).toBe(200)
    // Whether the client still receives the response depends on what it sends meanwhile.
    expect([[408], []]).toContainEqual(statuses(await back))
    clearInterval(dribbling)
    expect(harness.served).toEqual(['anna POST 2'])
  })

  it("don't include slow responses and streams", async () => {
    harness.answer = async ({ request: asking, response }) => {
      response.writeHead(200).flushHeaders()
      await pause(4_000)
      if (asking.method === 'POST') response.end('{"late":true}')
    }
    const stream = await harness.listen()
    expect(await harness.ask()).toMatchObject({ status: 200, text: '{"late":true}' })
    expect(stream.socket.destroyed).toBe(false)
    stream.socket.destroy()
  })
})

describe('D6: 10,000 unauthenticated connections', () => {
  it('keep no agent with a key out', async () => {
    harness.answer = openStream
    const stream = await harness.listen()
    const unauthenticated = new Set<Socket>()
    let met = 0
    const openOne = async (): Promise<void> => {
      const socket = connect(harness.port, '127.0.0.1')
      unauthenticated.add(socket)
      socket.on('error', () => undefined).on('close', () => unauthenticated.delete(socket))
      await once(socket, 'connect')
      met += 1
    }
    const good: number[] = []
    while (met < 10_000) {
      const wave = Array.from({ length: 100 }, openOne)
      good.push(await statusOf(), (await harness.ask({ agent: false })).status)
      await Promise.all(wave)
    }
    expect(good).toEqual(good.map(() => 200))
    await expect.poll(() => unauthenticated.size).toBeLessThanOrEqual(UNAUTHENTICATED_LIMIT)
    for (const socket of unauthenticated) socket.destroy()
    expect(stream.socket.destroyed).toBe(false)
    stream.socket.destroy()
    expect(harness.served).toHaveLength(good.length + 1)
  })
})

describe('D6: the endpoint', () => {
  it('disconnects an agent whose key is void, whatever is running, and no other agent', async () => {
    const bert = (await harness.agents.add('Bert', PROFILE)).key
    harness.answer = openStream
    const streams = await Promise.all([harness.listen(), harness.listen()])
    const other = await harness.listen(bert)
    harness.answer = () => undefined
    const call = harness.ask()
    await expect.poll(() => harness.served.length).toBe(4)
    await harness.agents.renewKey('anna')
    harness.listener.cut('anna')
    await expect(call).rejects.toThrow()
    await Promise.all(streams.map(({ ended }) => ended))
    await expect.poll(() => connections()).toBe(0)
    expect(other.socket.destroyed).toBe(false)
    expect(connections('bert')).toBe(1)
    other.socket.destroy()
  })

  it('survives a failed request and serves others', async () => {
    harness.answer = () => {
      throw new Error('broken')
    }
    const { status, text } = await harness.ask()
    expect(status).toBe(500)
    expect(refusalIn(text)).not.toContain('broken')
    harness.answer = ({ response }) => {
      response.writeHead(200, { 'content-length': 9 }).flushHeaders()
      throw new Error('half')
    }
    await expect(harness.ask()).rejects.toThrow()
    harness.answer = undefined
    expect(await statusOf()).toBe(200)
    expect(harness.faults.map(String)).toEqual(['Error: broken', 'Error: half'])
  })

  it('ignores a body whose sender is gone, and frees its memory', async () => {
    const most = 'x'.repeat(900 * 1024)
    for (let round = 0; round < 4; round += 1) {
      const { socket } = await harness.send(harness.head('Content-Length: 1000000') + most)
      await expect.poll(() => connections()).toBe(1)
      socket.resetAndDestroy()
      await expect.poll(() => connections()).toBe(0)
    }
    expect(harness.served).toEqual([])
    expect(await statusOf(most)).toBe(200)
    expect(harness.faults).toEqual([])
  })
})

const HAS_IPV6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === LOOPBACK_6)

describe.runIf(HAS_IPV6)('F7: an agent that reaches localhost at [::1]', () => {
  it.each(['[::1]:PORT', 'localhost:PORT'])(
    'is served with its key, by the name %s',
    async (name) => {
      const headers = { host: name.replace('PORT', String(harness.port)) }
      expect((await harness.ask({ address: LOOPBACK_6, headers })).status).toBe(200)
      const strange = { ...headers, authorization: undefined }
      expect((await harness.ask({ address: LOOPBACK_6, headers: strange })).status).toBe(401)
    },
  )

  it("can't keep the gateway closed because another program has the port there", async () => {
    const { port } = harness
    await harness.listener.close()
    const other = createServer()
    await bindLoopback(other, port, () => undefined, LOOPBACK_6)
    const listener = await listenFor(harness.agents, { port })
    expect(listener.port).toBe(port)
    await listener.close()
    other.close()
    harness = await new ListenerHarness(tempFolder('door'), clock).open()
  })
})
