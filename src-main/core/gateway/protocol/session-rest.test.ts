import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { HandClock } from '../../../../e2e/fixtures/hand-clock'
import { type Agent, AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { toDisposable } from '../../lifecycle/disposables'
import { slot } from '../access/agent-limits'
import { type AgentListing, agentListing } from '../listing/agent-listing'
import { readMessage } from './agent-message'
import { AgentEndpoint } from './endpoint'
import type { EndpointParts } from './endpoint-context'
import { SESSION_IDLE_MS } from './sessions'

const ANNA: Agent = {
  agentId: 'anna',
  name: 'Anna',
  createdAt: 0,
  keyHash: '0'.repeat(64),
  keyTail: '0000',
  profile: AgentProfile.parse({}),
  allowed: [],
}
const none: readonly never[] = []
const CONTENT = {
  ...{ servers: none, callable: none, prompts: none, resources: none, templates: none },
  ...{ definitions: none, overCap: 0, sharedNames: new Map(), uiOwners: new Map(), leftOut: none },
}
/** Tools that no other listing has. */
const listingOf = (generation: number): AgentListing =>
  agentListing(generation, { ...CONTENT, definitions: [] })

const opened: { readonly endpoint: AgentEndpoint; readonly server: Server }[] = []
afterEach(async () => {
  for (const { endpoint, server } of opened.splice(0)) {
    endpoint.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const NOTHING = toDisposable(() => undefined)

/** The endpoint behind a door that is open to all, with no servers behind it. */
async function open(): Promise<{
  readonly endpoint: AgentEndpoint
  readonly url: string
  readonly clock: HandClock
  /** Changes the tools of all agents. */
  readonly change: () => void
}> {
  let listing = listingOf(1)
  const clock = new HandClock()
  const nobody = (): never => {
    throw new Error('There is no server.')
  }
  const endpoint = new AgentEndpoint({
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
    onFault: (error) => {
      throw error
    },
    time: clock,
  } satisfies EndpointParts)
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const message = request.method === 'POST' ? readMessage(body) : undefined
      void endpoint.serve({
        agent: ANNA,
        request,
        response,
        message,
        hold: slot(() => undefined),
      })
    })
  })
  await new Promise<undefined>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      resolve(undefined)
    }),
  )
  opened.push({ endpoint, server })
  return {
    endpoint,
    clock,
    change: () => {
      listing = listingOf(listing.generation + 1)
      endpoint.changed()
    },
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`,
  }
}

const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}

async function post(url: string, message: object, session?: string): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...(session !== undefined && { 'mcp-session-id': session }) },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  return new Response(await answer.text(), answer)
}

async function begin(url: string): Promise<string> {
  const clientInfo = { name: 'a', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  const answer = await post(url, { id: 0, method: 'initialize', params })
  return answer.headers.get('mcp-session-id') ?? ''
}

const ping = { id: 1, method: 'ping' }

describe('F9 an agent whose tools change all the time', () => {
  it('is notified once in a few seconds, of the last change too, and immediately after a rest', async () => {
    const { url, clock, change } = await open()
    const session = await begin(url)
    const stream = await fetch(url, { headers: { ...HEADERS, 'mcp-session-id': session } })
    const notified = notificationsOf(stream)
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

/** How many changes of tools came on a stream so far. */
function notificationsOf({ body }: Response): () => number {
  let text = ''
  const read = async (): Promise<void> => {
    for await (const chunk of body ?? []) text += Buffer.from(chunk).toString()
  }
  read().catch(() => undefined) // the stream was cut
  return () => text.split('notifications/tools/list_changed').length - 1
}

describe('D6 sessions that rest', () => {
  it('end an hour after their last request, and not before', async () => {
    const { url, clock } = await open()
    const used = await begin(url)
    const left = await begin(url)
    clock.pass(SESSION_IDLE_MS * 0.75)
    expect((await post(url, ping, used)).status).toBe(200)
    clock.pass(SESSION_IDLE_MS * 0.75)
    expect((await post(url, ping, left)).status).toBe(404)
    expect((await post(url, ping, used)).status).toBe(200)
    clock.pass(SESSION_IDLE_MS * 1.5)
    expect((await post(url, ping, used)).status).toBe(404)
    // With the last of them the clock is left alone.
    expect(clock.waiting).toBe(0)
  })

  it('stay while a stream of theirs is open, and end an hour after that', async () => {
    const { url, clock } = await open()
    const session = await begin(url)
    const leave = new AbortController()
    const stream = await fetch(url, {
      headers: { ...HEADERS, 'mcp-session-id': session },
      signal: leave.signal,
    })
    expect(stream.status).toBe(200)
    clock.pass(SESSION_IDLE_MS * 10)
    expect((await post(url, ping, session)).status).toBe(200)
    leave.abort()
    await expect
      .poll(async () => {
        clock.pass(SESSION_IDLE_MS * 2)
        return (await post(url, ping, session)).status
      })
      .toBe(404)
  })

  it('end with their streams when the agent is cut, and leave nothing that waits', async () => {
    const { url, clock, endpoint } = await open()
    const session = await begin(url)
    const stream = await fetch(url, { headers: { ...HEADERS, 'mcp-session-id': session } })
    const cut = stream.text().then(
      () => 'ended',
      () => 'ended',
    )
    endpoint.closeAgent('anna')
    expect(await cut).toBe('ended')
    expect((await post(url, ping, session)).status).toBe(404)
    expect(clock.waiting).toBe(0)
  })
})
