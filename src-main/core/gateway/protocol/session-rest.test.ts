import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { Door } from '../../../../e2e/fixtures/gateway-door'
import { HandClock } from '../../../../e2e/fixtures/hand-clock'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { toDisposable } from '../../lifecycle/disposables'
import type { AgentListing } from '../listing/agent-listing'
import { AgentEndpoint } from './endpoint'
import { SESSION_IDLE_MS } from './sessions'

const NONE: readonly never[] = []
/** Tools that no other listing has. */
const newListing = (): AgentListing => ({
  ...{ servers: NONE, callable: NONE, prompts: NONE, resources: NONE, templates: NONE },
  ...{ definitions: [], overCap: 0 },
  ...{ sharedNames: new Map(), uiOwners: new Map(), byName: new Map() },
})
const NOTHING = toDisposable(() => undefined)
const nobody = (): never => {
  throw new Error('There is no server.')
}

let door: Door
let clock: HandClock
let listing: AgentListing
let endpoint: AgentEndpoint
beforeEach(async () => {
  clock = new HandClock()
  listing = newListing()
  door = await new Door(tempFolder('rest')).open()
  endpoint = new AgentEndpoint({
    listings: { of: () => listing },
    calls: { send: nobody, routeOf: nobody },
    servers: { all: () => [], onDidBegin: () => NOTHING, onDidNotify: () => NOTHING },
    watches: { add: nobody },
    nameOf: (id) => id,
    version: '0',
    usageOf: () => undefined,
    onApp: () => undefined,
    onListed: () => undefined,
    onOutputBroken: () => undefined,
    onFault: (error) => door.faults.push(error),
    time: clock,
  })
  door.answer = (exchange) => endpoint.serve(exchange)
})
afterEach(async () => {
  endpoint.close()
  expect(door.faults).toEqual([])
  await door.close()
})

async function begin(): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {} }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  return String((await door.ask({ body })).headers['mcp-session-id'])
}

async function ping(session: string): Promise<number> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
  return (await door.ask({ body, headers: { 'mcp-session-id': session } })).status
}

function listen(session: string, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${door.key}`, 'mcp-session-id': session }
  return fetch(door.listener.url, { headers, ...(signal && { signal }) })
}

describe('F9 an agent whose tools change all the time', () => {
  it('is notified once in a few seconds, of the last change too, and immediately after a rest', async () => {
    const { body } = await listen(await begin())
    let text = ''
    const read = async (): Promise<void> => {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString()
    }
    read().catch(() => undefined) // the stream was cut
    const notified = (): number => text.split('notifications/tools/list_changed').length - 1
    const change = (): void => {
      listing = newListing()
      endpoint.changed()
    }
    for (let count = 0; count < 100; count += 1) {
      change()
      clock.pass(200)
    }
    // In 20 s: after 0, 0.2, 0.6, 1.4 and 3 s, then every 3 s.
    await expect.poll(notified).toBe(10)
    clock.pass(SESSION_IDLE_MS / 100)
    await expect.poll(notified).toBe(11)
    change()
    await expect.poll(notified).toBe(12)
    clock.pass(200)
    change()
    await expect.poll(notified).toBe(13)
  })
})

describe('D6 sessions that rest', () => {
  it('end an hour after their last request, and not before', async () => {
    const used = await begin()
    const left = await begin()
    clock.pass(SESSION_IDLE_MS * 0.75)
    expect(await ping(used)).toBe(200)
    clock.pass(SESSION_IDLE_MS * 0.75)
    expect(await ping(left)).toBe(404)
    expect(await ping(used)).toBe(200)
    clock.pass(SESSION_IDLE_MS * 1.5)
    expect(await ping(used)).toBe(404)
    // With the last of them the clock is left alone.
    expect(clock.waiting).toBe(0)
  })

  it('stay while a stream of theirs is open, and end an hour after that', async () => {
    const session = await begin()
    const leave = new AbortController()
    expect((await listen(session, leave.signal)).status).toBe(200)
    clock.pass(SESSION_IDLE_MS * 10)
    expect(await ping(session)).toBe(200)
    leave.abort()
    await expect
      .poll(() => {
        clock.pass(SESSION_IDLE_MS * 2)
        return ping(session)
      })
      .toBe(404)
  })

  it('end with their streams when the agent is removed, and leave nothing that waits', async () => {
    const session = await begin()
    const stream = await listen(session)
    const ended = stream.text().catch(() => 'cut')
    endpoint.closeAgent('anna')
    expect(await ended).toBe('')
    expect(await ping(session)).toBe(404)
    expect(clock.waiting).toBe(0)
  })
})
