import { describe, expect, it } from 'vitest'

import { fixtureServer } from '../../fixtures/fixture-server'
import { freePort } from '../../fixtures/free-port'
import type { Harness } from '../../fixtures/harness'
import { openHarnessWith } from '../../fixtures/open-harness'

type Answer = {
  readonly status: number
  readonly type: string
  readonly message?: Record<string, unknown> | undefined
}
type Ask = (message: object, headers?: Record<string, string>) => Promise<Answer>

/** A Ready server of e2e/servers under its own name, and an agent connected to the endpoint. */
async function open(
  script: string,
  options: { args?: readonly string[]; capabilities?: object; version?: string } = {},
): Promise<{ harness: Harness; id: string; ask: Ask }> {
  const { args = [], capabilities = {}, version: protocolVersion = '2025-11-25' } = options
  const port = await freePort()
  const harness = await openHarnessWith({ gatewayPort: port, startsAgain: false })
  const id = await harness.install(fixtureServer(script, { args }), { name: 'one' })
  await expect.poll(async () => (await harness.view(id)).status.kind).toMatch(/ready|degraded/u)
  const { key } = await harness.call('agent.add', { name: 'Anna' })
  const state = async () => (await harness.call('app.snapshot', {})).agents.gateway.kind
  await expect.poll(state).toBe('open')
  const first = { authorization: `Bearer ${key}` }
  const begun = await post(port, first, {
    ...{ jsonrpc: '2.0', id: 'begin', method: 'initialize' },
    params: { protocolVersion, capabilities, clientInfo: { name: 'test', version: '0' } },
  })
  const session = begun.headers.get('mcp-session-id') ?? ''
  await begun.text()
  const usual = { ...first, 'mcp-session-id': session, 'mcp-protocol-version': protocolVersion }
  const ask: Ask = async (message, headers) =>
    readAnswer(await post(port, { ...usual, ...headers }, { jsonrpc: '2.0', ...message }))
  await ask({ method: 'notifications/initialized' })
  return { harness, id, ask }
}

function post(port: number, headers: Record<string, string>, message: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${String(port)}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  })
}

async function readAnswer(response: Response): Promise<Answer> {
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
  const data = type === 'text/event-stream' ? lines.at(-1)?.slice('data: '.length) : text
  const message = data ? (JSON.parse(data) as Record<string, unknown>) : undefined
  return { status: response.status, type, message }
}

const STREAM = 'text/event-stream'
const JSON_TYPE = 'application/json'
const call = (id: number | string, name: string, args: unknown, meta?: object): object => ({
  id,
  method: 'tools/call',
  params: { name: `one__${name}`, arguments: args, ...(meta && { _meta: meta }) },
})
/** A call that needs a stream for its progress. */
const asStream = (name: string, args: unknown): object =>
  call('same', name, args, { progressToken: 7 })

describe('D6: a call answered as JSON', () => {
  it.each([
    ['well', {}],
    ['text_id', {}],
    ['twice', {}],
    ['batch', {}],
    ['colours', {}],
    ['bad_utf8', {}],
    ['refused', {}],
    ['both', {}],
    ['wrong_type', {}],
    ['nowhere', {}],
    ['well', 'no object'],
    ['well', [1]],
  ])('has the same answer as a stream: %s %j', async (name, args) => {
    const { ask } = await open('answers.mjs')
    const raw = await ask(call('same', name, args))
    const streamed = await ask(asStream(name, args))
    expect([raw.type, streamed.type]).toEqual([JSON_TYPE, STREAM])
    expect(raw.message).toEqual(streamed.message)
    expect(raw.status).toBe(200)
  })

  it('reports how its server ended', async () => {
    const { ask, harness, id } = await open('dies-in-call.mjs')
    const { message } = await ask(call(1, 'die', {}))
    expect(message).toMatchObject({
      id: 1,
      error: {
        ...{ code: -32_000, message: expect.stringMatching(/code 7[^]*About to die/u) as string },
        data: { code: 'SERVER_EXITED', exitCode: 7, stderr: ['About to die'] },
      },
    })
    await harness.until(id, 'error')
  })

  it('keeps numbers and names as written', async () => {
    const { ask } = await open('plain.mjs')
    const args = { text: 'ä\u2028\ud83d\ude00', n: 1.5, deep: { __proto__: null, list: [[]] } }
    const { message } = await ask(call(1, 'echo', args))
    const text = JSON.stringify(args)
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text }] },
    })
  })

  it('gets its own answer among many', async () => {
    const { ask } = await open('plain.mjs')
    const ids = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? at : `${at}`))
    const answers = await Promise.all(ids.map((id) => ask(call(id, 'echo', { id }))))
    const texts = answers.map(({ message }) => [message?.id, JSON.stringify(message?.result)])
    expect(texts).toEqual(
      ids.map((id) => {
        const text = JSON.stringify({ id })
        return [id, JSON.stringify({ content: [{ type: 'text', text }] })]
      }),
    )
  })

  it('has no answer after a cancel, and the server is notified', async () => {
    const { ask, harness, id } = await open('works.mjs')
    const running = ask(call('long', 'slow', {}))
    await expect.poll(async () => (await harness.view(id)).status.kind).toBe('ready')
    await expect.poll(() => harness.session(id).inFlight).toBe(1)
    const params = { requestId: 'long', reason: 'no more' }
    expect((await ask({ method: 'notifications/cancelled', params })).status).toBe(202)
    expect(await running).toMatchObject({ status: 200, message: undefined })
    await expect.poll(() => harness.log(id)).toContain('cancelled slow')
    expect(await ask(call('long', 'slow', { ms: 0 }))).toMatchObject({
      message: { result: { worked: 0 } },
    })
  })

  it('is a stream if the agent can ask its user', async () => {
    const { ask } = await open('works.mjs', { capabilities: { elicitation: {} } })
    expect((await ask(call(1, 'slow', { ms: 0 }))).type).toBe(STREAM)
  })
})

describe('F7: an agent that accepts one format', () => {
  it.each([
    ['application/json', JSON_TYPE],
    ['APPLICATION/*', JSON_TYPE],
    ['text/event-stream', STREAM],
    ['*/*', JSON_TYPE],
  ])('gets it: %s', async (accept, type) => {
    const { ask } = await open('works.mjs')
    expect(await ask(call(1, 'slow', { ms: 0 }), { accept })).toMatchObject({
      type,
      message: { result: { worked: 0 } },
    })
    const silent = call(1, 'slow', { ms: 0 }, { progressToken: 1 })
    expect(await ask(silent, { accept })).toMatchObject({ message: { result: { worked: 0 } } })
  })
})

describe('D6: a tool list', () => {
  it('is equal as JSON and as a stream', async () => {
    const { ask } = await open('sizes.mjs')
    const list = (params: object): object => ({ id: 1, method: 'tools/list', params })
    const raw = await ask(list({}))
    const streamed = await ask(list({ _meta: { progressToken: 1 } }))
    expect([raw.type, streamed.type]).toEqual([JSON_TYPE, STREAM])
    expect(raw.message).toEqual(streamed.message)
  })
})
