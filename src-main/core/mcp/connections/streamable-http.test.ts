import type { ServerResponse } from 'node:http'

import { describe, expect, it } from 'vitest'

import { type Answer, json, type OlderRemote, status } from '../../../../e2e/fixtures/older-remote'
import { pause } from '../../../../e2e/fixtures/pause'
import { SseServer } from '../../../../e2e/fixtures/sse-server'
import { ending, started, startedRemote } from '../../../../e2e/fixtures/supervised'
import type { RequestOptions } from '../session-options'

const MAX_BYTES = 100_000
const EVENTS = { 'content-type': 'text/event-stream' }

async function open(answers: OlderRemote['answers'] = {}) {
  const opened = await startedRemote(answers, { remote: { maxMessageBytes: MAX_BYTES } })
  const call = (limits: RequestOptions = {}): Promise<unknown> => opened.call('tool', {}, limits)
  return { ...opened, call }
}

const answerTo = (id: unknown, text = '') => ({
  ...{ jsonrpc: '2.0', id },
  result: { content: [{ type: 'text', text }] },
})
const event = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`
const note = (data: string) => ({
  ...{ jsonrpc: '2.0', method: 'notifications/message', params: { data } },
})

/** Answers on the stream of a request, and ends it. */
const streamed =
  (text: (id: unknown) => string): Answer =>
  (response, id) =>
    void response.writeHead(200, EVENTS).end(text(id))

/** Answers with a JSON body made from the id. */
const body =
  (text: (id: unknown) => string): Answer =>
  (response, id) =>
    status(200, text(id), 'application/json')(response, id)

const message = (of: (id: unknown) => unknown): Answer => body((id) => JSON.stringify(of(id)))

describe('F1: JSON under another content type', () => {
  it.each(['text/plain', 'text/json', 'application/json-rpc', undefined])(
    'is read, and counted as a repair: %s',
    async (type) => {
      const { server, call } = await open({
        'tools/call': (response, id) => {
          response.writeHead(200, type === undefined ? {} : { 'content-type': type })
          response.end(JSON.stringify(answerTo(id, 'x')))
        },
      })
      expect(await call()).toMatchObject({ content: [{ text: 'x' }] })
      expect(server.protocolWarnings).toMatchObject([
        { message: `Repaired: content-type is ${type ?? 'missing'}.` },
      ])
    },
  )
})

describe('B3: an ended call over HTTP', () => {
  const busyOnce = (): Answer => {
    let isBusy = true
    return (response, id) => {
      if (isBusy) response.setHeader('retry-after', '3')
      const answer = isBusy ? status(429) : json(answerTo(id))
      isBusy = false
      answer(response, id)
    }
  }

  it.each([
    ['its deadline', 'REQUEST_TIMEOUT', { timeoutMs: 2_500 }],
    ['its caller canceled it', 'REQUEST_CANCELLED', {}],
  ])('is not retried at a busy server after %s', async (_what, code, limits) => {
    const { remote, call } = await open({ 'tools/call': busyOnce() })
    const giveUp = new AbortController()
    const failed = expect(call({ signal: giveUp.signal, ...limits })).rejects.toMatchObject({
      code,
    })
    await expect.poll(() => remote.count('tools/call')).toBe(1)
    if (code === 'REQUEST_CANCELLED') giveUp.abort()
    await failed
    await pause(3_500)
    expect(remote.count('tools/call')).toBe(1)
    expect(await call()).toMatchObject({ content: [{ text: '' }] })
  })

  it.each([
    ['without a response', () => ': begun\n\n', 'rejected'],
    ['after its response', (id: unknown) => event(answerTo(id)), 'fulfilled'],
  ])('releases a stream that the server leaves open %s', async (_when, text, how) => {
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

  it('stops resuming a cut stream', async () => {
    const cut = streamed(() => 'id: 1\nretry: 10\ndata:\n\n')
    const { remote, call } = await open({ 'tools/call': cut })
    remote.answers.GET = cut
    await expect(call({ timeoutMs: 3_000 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    const requests = remote.count('GET')
    expect(requests).toBeGreaterThan(1)
    await pause(1_500)
    expect(remote.count('GET')).toBe(requests)
  })
})

describe('C10: a stream that the server keeps ending', () => {
  it('is reopened with growing delays whatever the server requests, but not after a stop', async () => {
    const times: number[] = []
    const { remote, server } = await open({
      GET: (response, id) => {
        times.push(performance.now())
        streamed(() => 'retry: 0\n\n')(response, id)
      },
    })
    await expect.poll(() => times.length).toBeGreaterThan(4)
    await server.stop()
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    // Timers may fire slightly early.
    waits.forEach((ms, index) => expect(ms).toBeGreaterThan(90 * 2 ** index))
    const after = remote.count('GET')
    await pause(2_000)
    expect(remote.count('GET')).toBe(after)
  })
})

describe('B2: an oversized message over HTTP', () => {
  const large = 'x'.repeat(2 * MAX_BYTES)
  const tooLarge = { code: 'MESSAGE_TOO_LARGE' }
  const middle = (id: unknown): object => ({ result: { a: large }, id, extra: { a: large } })

  it.each<[string, Answer]>([
    [
      'an event that can be resumed',
      streamed((id) => `id: 1\ndata:\n\n${event(answerTo(id, large))}`),
    ],
    [
      'an event with its id in the middle',
      streamed((id) => event({ jsonrpc: '2.0', ...middle(id) })),
    ],
    ['a body', message((id) => answerTo(id, large))],
  ])('fails only its request if it is %s', async (_what, answer) => {
    const { remote, call } = await open({ 'tools/call': answer })
    const requests = remote.count('GET')
    await expect(call()).rejects.toMatchObject(tooLarge)
    remote.answers['tools/call'] = streamed((id) => event(answerTo(id, 'b')))
    expect(await call()).toMatchObject({ content: [{ text: 'b' }] })
    expect(remote.count('GET')).toBe(requests)
  })

  it('is counted, and other messages on the same stream get through', async () => {
    const { server, call } = await open({
      'tools/call': streamed((id) => event(note(large)) + event(answerTo(id, 'c'))),
    })
    expect(await call()).toMatchObject({ content: [{ text: 'c' }] })
    expect(server.faults.oversizedMessages).toBe(1)
  })

  it('keeps the session open if all messages share one stream', async () => {
    const remote = ending(await SseServer.open())
    const { call } = await started({
      remote: { url: new URL(remote.url), transports: ['sse'], maxMessageBytes: MAX_BYTES },
    })
    await expect(call('large', { bytes: 2 * MAX_BYTES })).rejects.toMatchObject(tooLarge)
    expect(await call('large', { bytes: 3 })).toMatchObject({ content: [{ text: 'xxx' }] })
    expect(remote.opened).toBe(1)
  })
})

describe('B3: requests of a server over HTTP', () => {
  it('are all answered, a few at a time', async () => {
    const requests = 300
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
        for (let id = 0; id < requests; id += 1)
          response.write(event({ jsonrpc: '2.0', id, method: 'ping' }))
      },
    })
    expect(await call()).toMatchObject({ content: [] })
    await expect.poll(() => answered).toBe(requests)
    expect(most).toBeLessThanOrEqual(16)
  })
})

describe('B3: the response of a server over HTTP', () => {
  const deep = '['.repeat(600) + ']'.repeat(600)
  const nested = (id: unknown): string =>
    `{"jsonrpc":"2.0","id":${String(id)},"result":{"a":${deep}}}`

  it.each<[string, Answer, Record<string, number>]>([
    ['missing', status(202), {}],
    ['not a message', json([]), { malformedMessages: 1 }],
    ['not JSON', body(() => '{'), { malformedMessages: 1 }],
    ['for another id', json(answerTo(9_999)), { unknownAnswers: 1 }],
    ['nested too deeply', body(nested), { malformedMessages: 1 }],
    [
      'in an event nested too deeply',
      streamed((id) => `data: ${nested(id)}\n\n`),
      { malformedMessages: 1 },
    ],
  ])('fails the call immediately if it is %s', async (_what, answer, faults) => {
    const { server, call } = await open({ 'tools/call': answer })
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_ANSWER' })
    expect(server.faults).toMatchObject(faults)
  })

  it('rejects its request if it is an error without an id', async () => {
    const error = { code: -32_700, message: 'Parse error' }
    const { server, call } = await open({ 'tools/call': json({ jsonrpc: '2.0', id: null, error }) })
    const rejected = { status: 'rejected', reason: { code: 'REQUEST_REFUSED', refusal: error } }
    expect(await Promise.allSettled([call(), call()])).toMatchObject([rejected, rejected])
    expect(server.faults.unknownAnswers).toBe(0)
  })

  it('is accepted after an event that is no message', async () => {
    const answer = streamed((id) => `data: ping\n\n${event(answerTo(id, 'd'))}`)
    const { call } = await open({ 'tools/call': answer })
    expect(await call()).toMatchObject({ content: [{ text: 'd' }] })
  })
})
