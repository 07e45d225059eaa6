import type { Socket } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  Door,
  openStream,
  PROFILE,
  readAll,
  refusalIn,
  statuses,
} from '../../../e2e/fixtures/gateway-door'
import { HandClock } from '../../../e2e/fixtures/hand-clock'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { AgentLimits, MOST_LISTENS, MOST_STREAMS } from './access/agent-limits'

let door: Door
beforeEach(async () => {
  door = await new Door(tempFolder('door')).open()
})
afterEach(() => door.close())

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'

/** Allows so many calls, and holds their answers back until the result is called. */
function hold(agentCalls: number): () => void {
  const released = Promise.withResolvers<undefined>()
  Object.assign(door.limits, { agentCalls })
  door.answer = async ({ response }) => {
    await released.promise
    response.end('{}')
  }
  return () => released.resolve(undefined)
}

describe('D6 the limits of an agent', () => {
  it('refuse what is more than it may have under way, and tell when to try again', async () => {
    const release = hold(3)
    const calls = [1, 2, 3].map(() => door.ask({ body: CALL }))
    await expect.poll(() => door.served.length).toBe(3)
    const { status, headers, text } = await door.ask({ body: CALL })
    expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '1' })
    expect(refusalIn(text)).toContain('3 concurrent requests')
    release()
    expect((await Promise.all(calls)).map((one) => one.status)).toEqual([200, 200, 200])
    expect((await door.ask({ body: CALL })).status).toBe(200)
  })

  it('let pass what ends a call or answers the gateway', async () => {
    const release = hold(1)
    const call = door.ask({ body: CALL })
    await expect.poll(() => door.served.length).toBe(1)
    door.answer = undefined
    for (const body of [
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
      '{"jsonrpc":"2.0","id":7,"result":{"action":"accept"}}',
    ])
      expect((await door.ask({ body })).status).toBe(200)
    for (const body of ['[]', '{"id":1,"method":"x"}', 'no JSON'])
      expect((await door.ask({ body })).status).toBe(429)
    release()
    await call
  })

  it('count streams apart', async () => {
    door.answer = openStream
    Object.assign(door.limits, { agentCalls: 1 })
    const streams = await Promise.all(Array.from({ length: MOST_STREAMS }, () => door.listen()))
    expect(streams.every(({ status }) => status === 200)).toBe(true)
    expect((await door.listen()).status).toBe(429)
    expect((await door.ask()).status).toBe(200)
    streams[0]?.socket.destroy()
    await expect.poll(async () => (await door.listen()).status).toBe(200)
  })

  it('hold for work that goes on when its connection is gone', async () => {
    Object.assign(door.limits, { agentCalls: 2 })
    const ended = Promise.withResolvers<undefined>()
    door.answer = async ({ hold }) => {
      const working = hold()
      await ended.promise
      working[Symbol.dispose]()
    }
    // Who comes again and again has no more under way than who stays.
    for (let count = 1; count <= 2; count += 1) {
      const socket = await door.connect()
      socket.write(`${door.head('Content-Length: 2')}\r\n\r\n{}`)
      await expect.poll(() => door.served.length).toBe(count)
      socket.destroy()
    }
    await expect.poll(() => door.listener.connectionsOf('anna')).toBe(0)
    door.answer = undefined
    expect((await door.ask({ body: CALL })).status).toBe(429)
    ended.resolve(undefined)
    await expect.poll(async () => (await door.ask({ body: CALL })).status).toBe(200)
  })

  it('count subscriptions apart, by what the body asks for', async () => {
    const release = hold(1)
    const body = (method: string): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method })
    const headers = { 'mcp-method': 'subscriptions/listen' }
    const listen = (): Promise<{ status: number }> =>
      door.ask({ headers, body: body('subscriptions/listen') })
    const listening = Array.from({ length: MOST_LISTENS }, listen)
    await expect.poll(() => door.served.length).toBe(MOST_LISTENS)
    expect((await listen()).status).toBe(429)
    // A call is none because of its header.
    const call = door.ask({ headers, body: body('tools/call') })
    await expect.poll(() => door.served.length).toBe(MOST_LISTENS + 1)
    expect((await door.ask({ headers, body: body('tools/call') })).status).toBe(429)
    release()
    for (const { status } of await Promise.all([...listening, call])) expect(status).toBe(200)
  })

  it('are its own', async () => {
    const release = hold(1)
    const { key } = await door.agents.add('Bert', PROFILE)
    const asked = [door.ask(), door.ask({ headers: { authorization: `Bearer ${key}` } })]
    await expect.poll(() => door.served.toSorted()).toEqual(['anna POST 2', 'bert POST 2'])
    release()
    await Promise.all(asked)
  })

  it('bound its connections', async () => {
    door.answer = openStream
    Object.assign(door.limits, { agentCalls: 1, maxMessageMb: 1 })
    const sockets: Socket[] = []
    for (let count = 0; count < 65; count += 1) {
      const socket = await door.connect()
      sockets.push(socket)
      socket.write(`${door.head('Content-Length: 9')}\r\n\r\n`)
    }
    await expect.poll(() => door.listener.connectionsOf('anna')).toBe(65)
    expect((await door.ask({ agent: false })).status).toBe(429)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => door.listener.connectionsOf('anna')).toBe(0)
    expect((await door.ask({ agent: false })).status).toBe(200)
  })

  it('hold for requests in one line too, which are not served out of turn', async () => {
    const release = hold(2)
    const one = `${door.head('Content-Length: 2')}\r\n\r\n{}`
    const socket = await door.connect()
    const back = readAll(socket)
    socket.write(one.repeat(200))
    await expect.poll(() => door.served.length).toBe(1)
    release()
    expect(statuses(await back)).toEqual([200, 400])
    // What was given up with its connection holds no place.
    for (let round = 0; round < 5; round += 1) {
      const cut = await door.connect()
      cut.write(one.repeat(20))
      await expect.poll(() => door.served.length).toBeGreaterThan(1 + round)
      cut.destroy()
    }
    expect((await Promise.all([door.ask(), door.ask()])).map(({ status }) => status)).toEqual([
      200, 200,
    ])
  })
})

describe('D6 the rate of an agent', () => {
  it('allows a minute at once, then as much as time passes, and is its own', () => {
    const clock = new HandClock()
    const settings = { agentCalls: 1, agentRate: 60 }
    const limits = new AgentLimits(() => settings, clock)
    const sent = (agentId: string): number => {
      let count = 0
      while (count < 100 && limits.request(agentId) === undefined) count += 1
      return count
    }
    expect(sent('anna')).toBe(60)
    expect(limits.request('anna')).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(sent('bert')).toBe(60)
    clock.pass(2_500)
    expect(sent('anna')).toBe(2)
    clock.pass(500)
    expect(sent('anna')).toBe(1)
    clock.pass(600_000)
    expect(sent('anna')).toBe(60)
    settings.agentRate = 10
    expect(limits.request('anna')?.headers).toEqual({ 'retry-after': '6' })
    clock.pass(6_000)
    expect(limits.request('anna')).toBeUndefined()
  })

  it('is told over HTTP, and leaves its other requests alone', async () => {
    Object.assign(door.limits, { agentRate: 10 })
    const answers = []
    for (let count = 0; count < 12; count += 1) answers.push(await door.ask())
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10)
    const refused = answers.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(refusalIn(refused?.text ?? '')).toContain('10 requests in a minute')
  })
})
