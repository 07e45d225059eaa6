import type { ServerResponse } from 'node:http'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Answer, json, OlderRemote, status } from '../../../../e2e/fixtures/older-remote'
import { pause } from '../../../../e2e/fixtures/pause'
import { SseServer } from '../../../../e2e/fixtures/sse-server'
import { Supervisors } from '../../../../e2e/fixtures/supervisors'
import type { RequestOptions } from '../session'

const MAX_BYTES = 100_000
const EVENTS = { 'content-type': 'text/event-stream' }

let stack: AsyncDisposableStack
beforeEach(() => (stack = new AsyncDisposableStack()))
afterEach(() => stack.disposeAsync())

async function open(answers: OlderRemote['answers'] = {}) {
  const supervisors = stack.use(new Supervisors())
  const remote = stack.use(await OlderRemote.open())
  Object.assign(remote.answers, answers)
  const { server } = supervisors.open({ remote: { url: remote.url, maxMessageBytes: MAX_BYTES } })
  server.start()
  await expect.poll(() => server.status.kind).toBe('ready')
  const call = (options: RequestOptions = {}): Promise<unknown> =>
    server.session?.request('tools/call', { name: 'tool', arguments: {} }, options) ??
    Promise.reject(new Error('no session'))
  return { remote, server, call }
}

const answerTo = (id: unknown, text = '') => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text }] },
})

const event = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`

/** What is sent on the stream of a request, which ends with it. */
const streamed =
  (text: (id: unknown) => string): Answer =>
  (response, id) =>
    void response.writeHead(200, EVENTS).end(text(id))

describe('B3 a call over HTTP that is over', () => {
  const busy = status(429)
  const once = (answers: Answer[]): Answer => {
    const left = [...answers]
    return (response, id) => (left.shift() ?? json(answerTo(id)))(response, id)
  }
  const later: Answer = (response, id) => {
    response.setHeader('retry-after', '3')
    busy(response, id)
  }

  it('by its deadline is not sent again once the busy server is ready', async () => {
    const { remote, call } = await open({ 'tools/call': once([later]) })
    await expect(call({ timeoutMs: 2_500 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    await pause(1_000)
    expect(remote.count('tools/call')).toBe(1)
  })

  it('as its asker gave it up is not sent again either', async () => {
    const { remote, call } = await open({ 'tools/call': once([later]) })
    const giveUp = new AbortController()
    const given = expect(call({ signal: giveUp.signal })).rejects.toMatchObject({
      code: 'REQUEST_CANCELLED',
    })
    await expect.poll(() => remote.count('tools/call')).toBe(1)
    giveUp.abort()
    await given
    await pause(3_500)
    expect(remote.count('tools/call')).toBe(1)
    expect(await call()).toMatchObject({ content: [{ text: '' }] })
  })

  it.each([
    ['without an answer', () => ': begun\n\n', 'rejected'],
    ['behind its answer', (id: unknown) => event(answerTo(id)), 'fulfilled'],
  ])('lets go of a stream that the server leaves open %s', async (_when, text, how) => {
    let closed = 0
    const { call } = await open({
      'tools/call': (response, id) => {
        response.on('close', () => (closed += 1))
        response.writeHead(200, EVENTS).write(text(id))
      },
    })
    const calls = Array.from({ length: 10 }, () => call({ timeoutMs: 5_000 }))
    const ends = await Promise.allSettled(calls)
    expect(new Set(ends.map((end) => end.status))).toEqual(new Set([how]))
    await expect.poll(() => closed).toBe(10)
  })

  it('asks no more for the rest of a stream that was cut', async () => {
    const cut = streamed(() => 'id: 1\nretry: 10\ndata:\n\n')
    const { remote, call } = await open({ 'tools/call': cut })
    remote.answers.GET = cut
    await expect(call({ timeoutMs: 3_000 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    const asked = remote.count('GET')
    expect(asked).toBeGreaterThan(1)
    await pause(1_500)
    expect(remote.count('GET')).toBe(asked)
  })
})

describe('C10 a stream that the server ends again and again', () => {
  it('is taken up with longer and longer waits whatever the server wishes, and not once it is stopped', async () => {
    const asked: number[] = []
    const { remote, server } = await open({
      GET: (response, id) => {
        asked.push(performance.now())
        streamed(() => 'retry: 0\n\n')(response, id)
      },
    })
    await expect.poll(() => asked.length).toBeGreaterThan(4)
    await server.stop()
    const waits = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
    // A timer may come a little before its time.
    waits.forEach((ms, index) => expect(ms).toBeGreaterThan(90 * 2 ** index))
    const after = remote.count('GET')
    await pause(2_000)
    expect(remote.count('GET')).toBe(after)
  })
})

describe('B2 a message over HTTP that is too large', () => {
  const large = 'x'.repeat(2 * MAX_BYTES)
  const tooLarge = { code: 'MESSAGE_TOO_LARGE' }

  it('fails its request alone, is told, and is not asked for again', async () => {
    const { remote, server, call } = await open({
      'tools/call': streamed((id) => `id: 1\nretry: 1\ndata:\n\n${event(answerTo(id, large))}`),
    })
    const asked = remote.count('GET')
    await expect(call()).rejects.toMatchObject(tooLarge)
    remote.answers['tools/call'] = streamed((id) => event(answerTo(id, 'b')))
    expect(await call()).toMatchObject({ content: [{ text: 'b' }] })
    await pause(500)
    expect([remote.count('GET'), server.faults.oversizedMessages]).toEqual([asked, 1])
  })

  it('lets those through that come on the same stream', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { data: large } }
    const { call } = await open({
      'tools/call': streamed((id) => event(note) + event(answerTo(id, 'c'))),
    })
    expect(await call()).toMatchObject({ content: [{ text: 'c' }] })
  })

  it('fails the request on whose stream it is where its id is in the middle', async () => {
    const middle = (id: unknown) => ({ result: { a: large }, id, extra: { a: large } })
    const { call } = await open({
      'tools/call': streamed((id) => event({ jsonrpc: '2.0', ...middle(id) })),
    })
    await expect(call()).rejects.toMatchObject(tooLarge)
  })

  it('leaves the session where all comes on one stream', async () => {
    const supervisors = stack.use(new Supervisors())
    const remote = stack.use(await SseServer.open())
    const { server } = supervisors.open({
      remote: { url: new URL(remote.url), transports: ['sse'], maxMessageBytes: MAX_BYTES },
    })
    server.start()
    await expect.poll(() => server.status.kind).toBe('ready')
    const ask = (bytes: number) =>
      server.session?.request('tools/call', { name: 'large', arguments: { bytes } })
    await expect(ask(2 * MAX_BYTES)).rejects.toMatchObject(tooLarge)
    expect(await ask(3)).toMatchObject({ content: [{ text: 'xxx' }] })
    expect(remote.opened).toBe(1)
  })
})

describe('B3 a server that asks over HTTP', () => {
  it('gets few answers at a time, and all of them', async () => {
    const asked = 300
    const waiting: ServerResponse[] = []
    let most = 0
    let answered = 0
    const { call } = await open({
      POST: (response) => {
        waiting.push(response)
        most = Math.max(most, waiting.length)
        void pause(5).then(() => {
          answered += 1
          waiting.splice(waiting.indexOf(response), 1)
          response.writeHead(202).end()
        })
      },
      GET: (response) => {
        response.writeHead(200, EVENTS)
        for (let id = 0; id < asked; id += 1)
          response.write(event({ jsonrpc: '2.0', id, method: 'ping' }))
      },
    })
    expect(await call()).toMatchObject({ content: [] })
    await expect.poll(() => answered).toBe(asked)
    expect(most).toBeLessThanOrEqual(16)
  })
})

describe('B3 what a server answers over HTTP', () => {
  const deep = '['.repeat(600) + ']'.repeat(600)
  const body =
    (text: (id: unknown) => string): Answer =>
    (response, id) =>
      status(200, text(id), 'application/json')(response, id)

  it.each<[string, Answer, Record<string, number>]>([
    ['nothing', status(202), {}],
    ['no message', json([]), { malformedMessages: 1 }],
    ['no JSON', body(() => '{'), { malformedMessages: 1 }],
    ['another id', json(answerTo(9_999)), { unknownAnswers: 1 }],
    ['a notification', json({ jsonrpc: '2.0', method: 'notifications/message', params: {} }), {}],
    [
      'a result that is not an object',
      (response, id) => json({ jsonrpc: '2.0', id, result: 1 })(response, id),
      { malformedAnswers: 1 },
    ],
    [
      'a text nested too deep',
      body((id) => `{"jsonrpc":"2.0","id":${String(id)},"result":{"a":${deep}}}`),
      { malformedMessages: 1 },
    ],
    [
      'an event nested too deep',
      streamed((id) => `data: {"jsonrpc":"2.0","id":${String(id)},"result":{"a":${deep}}}\n\n`),
      { malformedMessages: 1 },
    ],
  ])('fails the call at once where it is %s', async (_what, answer, faults) => {
    const { server, call } = await open({ 'tools/call': answer })
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_ANSWER' })
    expect(server.faults).toMatchObject(faults)
  })

  it('is the refusal of its request where it is an error without an id', async () => {
    const error = { code: -32_700, message: 'Parse error' }
    const { server, call } = await open({ 'tools/call': json({ jsonrpc: '2.0', id: null, error }) })
    const calls = await Promise.allSettled([call(), call()])
    const refused = { status: 'rejected', reason: { code: 'REQUEST_REFUSED', refusal: error } }
    expect(calls).toMatchObject([refused, refused])
    expect(server.faults.unknownAnswers).toBe(0)
  })

  it.each<[string, Answer]>([
    ['with its id as text', (response, id) => json(answerTo(String(id), 'd'))(response, id)],
    [
      'with more than the protocol knows',
      (response, id) => json({ ...answerTo(id, 'd'), more: 1 })(response, id),
    ],
    [
      'in a batch behind a notification',
      (response, id) =>
        json([{ jsonrpc: '2.0', method: 'notifications/message', params: {} }, answerTo(id, 'd')])(
          response,
          id,
        ),
    ],
    [
      'in a batch behind an answer whose id is no id',
      (response, id) => json([answerTo({ toString: 0 }), answerTo(id, 'd')])(response, id),
    ],
    ['behind an event that is none', streamed((id) => `data: ping\n\n${event(answerTo(id, 'd'))}`)],
  ])('is taken %s', async (_how, answer) => {
    const { call } = await open({ 'tools/call': answer })
    expect(await call()).toMatchObject({ content: [{ text: 'd' }] })
  })
})
