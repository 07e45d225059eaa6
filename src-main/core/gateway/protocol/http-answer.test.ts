import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'

import { acceptedForms, eventOf, EventQueue, HttpAnswer } from './http-answer'

const MB = 1024 * 1024

/** A stream of which the agent reads nothing yet. */
async function openUnread(): Promise<{ received: IncomingMessage; answer: HttpAnswer }> {
  const { promise, resolve } = Promise.withResolvers<HttpAnswer>()
  const server = createServer((request, response) => {
    const answer = new HttpAnswer(request, response)
    answer.stream()
    resolve(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const asking = get({ port, host: '127.0.0.1' })
  const [received] = (await once(asking, 'response')) as [IncomingMessage]
  received.pause().on('error', () => undefined)
  return { received, answer: await promise }
}

async function textOf(received: IncomingMessage): Promise<string> {
  const read: Buffer[] = []
  for await (const chunk of received) read.push(chunk as Buffer)
  return Buffer.concat(read).toString()
}

describe('D6 a stream that its agent does not read', () => {
  it('ends with its connection when more waits than may', async () => {
    const { received, answer } = await openUnread()
    // Requests to the agent are never left out.
    const params = { message: 'x'.repeat(MB) }
    for (let count = 0; count < 100; count += 1)
      answer.request(String(count), 'elicitation/create', params)
    expect(answer.isGone).toBe(true)
    const closed = Promise.withResolvers<undefined>()
    received.once('close', () => closed.resolve(undefined)).resume()
    await closed.promise
    expect(received.complete).toBe(false)
  })

  it('is sent whole and in order once the agent reads', async () => {
    const { received, answer } = await openUnread()
    const count = 40
    for (let id = 0; id < count; id += 1)
      answer.request(String(id), 'elicitation/create', { message: 'x'.repeat(MB) })
    answer.result(String(count), '{\n"text":\r\n"last"}')
    const text = await textOf(received)
    const ids = [...text.matchAll(/"id":"?(\d+)/gu)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: count + 1 }, (_, id) => id))
    expect(text.endsWith('data: {"jsonrpc":"2.0","id":40,"result":{ "text": "last"}}\n\n')).toBe(
      true,
    )
    expect(received.complete).toBe(true)
  })

  it('has of a flood of logs a part and the count of the others, and of progress the newest', async () => {
    const { received, answer } = await openUnread()
    const count = 3_000
    for (let progress = 1; progress <= count; progress += 1) {
      answer.notify('notifications/message', { level: 'error', data: 'x'.repeat(10_000) })
      answer.notify('notifications/progress', { progressToken: 'p', progress })
    }
    answer.result('9', '{}')
    const text = await textOf(received)
    const dropped = Number(/"(\d+) messages were dropped/u.exec(text)?.[1])
    expect(text.split('"data":"xxx').length - 1 + dropped).toBe(count)
    expect(dropped).toBeGreaterThan(count / 2)
    expect(text.split('"progress":').length - 1).toBeLessThan(count)
    expect(text).toContain(`"progress":${String(count)}}`)
    expect(text.endsWith('"id":9,"result":{}}\n\n')).toBe(true)
  })
})

describe('F7 the forms that an agent accepts', () => {
  it.each([
    [undefined, true, true],
    ['application/json, text/event-stream', true, true],
    ['Application/JSON,TEXT/event-stream;q=0.5', true, true],
    ['*/*', true, true],
    ['application/json', true, false],
    ['application/*;q=0.9', true, false],
    ['text/event-stream', false, true],
    ['text/*, application/json;q=0', false, true],
    ['text/html', false, false],
  ])('are read from %j', (accept, json, events) => {
    expect(acceptedForms(accept)).toEqual({ json, events })
  })
})

describe('F6 half a character on its way to an agent', () => {
  it('is U+FFFD in results, errors and notifications', async () => {
    const { received, answer } = await openUnread()
    answer.notify('notifications/message', { data: '\ud83d' })
    answer.result('1', String.raw`{"a":"\ud83d","whole":"\ud83d\ude00"}`)
    const text = await textOf(received)
    expect(text).toContain(String.raw`"data":"\ufffd"`)
    expect(text).toContain(String.raw`{"a":"\ufffd","whole":"\ud83d\ude00"}`)
  })
})

type Message = { id?: number | string; method?: string; params?: Record<string, unknown> }
type Event = [event: Buffer, method?: string, params?: Record<string, unknown>]

const event = (message: Message & { result?: object }): Event => [
  eventOf(JSON.stringify({ ...message, jsonrpc: '2.0' })),
  message.method,
  message.params,
]
const log = (index: number, size = 0): Event =>
  event({
    method: 'notifications/message',
    params: { level: 'error', logger: 'one', data: index, pad: 'x'.repeat(size) },
  })
const progress = (progressToken: string | number, at: number, size = 0): Event =>
  event({
    method: 'notifications/progress',
    params: { progressToken, progress: at, message: 'x'.repeat(size) },
  })
const changed = (kind: string): Event => event({ method: `notifications/${kind}/list_changed` })
const updated = (uri: string): Event =>
  event({ method: 'notifications/resources/updated', params: { uri } })
const answer = (id: number): Event => event({ id, result: { id } })

/** Takes so many messages. */
function drain(queue: EventQueue, most = Infinity): Message[] {
  const messages: Message[] = []
  for (let next = queue.shift(); next; next = messages.length < most ? queue.shift() : undefined)
    messages.push(JSON.parse(Buffer.from(next).toString().split('data: ')[1] ?? '') as Message)
  return messages
}

describe('D6 events that wait for a slow reader', () => {
  it('are of progress the newest of each token, and of changes one of each kind and resource', () => {
    const queue = new EventQueue()
    for (let at = 1; at <= 1_000; at += 1) {
      queue.push(...progress('a', at))
      queue.push(...progress(1, at))
      queue.push(...progress('1', at))
      for (const kind of ['tools', 'prompts', 'resources']) queue.push(...changed(kind))
      queue.push(...updated('memo://a'))
      queue.push(...updated('memo://b'))
    }
    expect(queue.changes).toHaveLength(5)
    const messages = drain(queue)
    expect(messages).toHaveLength(8)
    const reports = messages.filter(({ method }) => method === 'notifications/progress')
    expect(reports.map(({ params }) => [params?.progressToken, params?.progress])).toEqual([
      ['a', 1_000],
      [1, 1_000],
      ['1', 1_000],
    ])
  })

  it('are every answer and every question, in their order, whatever their length', () => {
    const queue = new EventQueue()
    const long = event({ id: 1, result: { text: 'x'.repeat(70 * 1024 * 1024) } })
    expect(queue.push(...event({ id: 'q', method: 'elicitation/create', params: {} }))).toBe(true)
    expect(queue.push(...long)).toBe(true)
    expect(drain(queue).map(({ id }) => id)).toEqual(['q', 1])
  })

  it('lose no answer, no change and no newest report, whatever comes in whatever order', () => {
    const one = fc.oneof(
      fc.record({ kind: fc.constant('answer'), n: fc.nat(1_000) }),
      fc.record({ kind: fc.constant('progress'), n: fc.nat(3) }),
      fc.record({ kind: fc.constant('changed'), n: fc.nat(2) }),
      fc.record({ kind: fc.constant('updated'), n: fc.nat(3) }),
      fc.record({ kind: fc.constant('log'), n: fc.nat(400_000) }),
      fc.record({ kind: fc.constant('read'), n: fc.integer({ min: 1, max: 3 }) }),
    )
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (events) => {
        const queue = new EventQueue()
        const got: Message[] = []
        const put = { answer: 0, logs: 0 }
        const newest = new Map<string, number>()
        events.forEach(({ kind, n }, at) => {
          if (kind === 'answer') queue.push(...answer(put.answer++))
          if (kind === 'progress') queue.push(...progress(n, newest.set(`${n}`, at).size && at))
          if (kind === 'changed') queue.push(...changed(['tools', 'prompts', 'resources'][n] ?? ''))
          if (kind === 'updated') queue.push(...updated(`memo://${n}`))
          if (kind === 'log') queue.push(...log(put.logs++, n))
          if (kind === 'read') got.push(...drain(queue, n))
        })
        got.push(...drain(queue))
        const ids = got.flatMap(({ id }) => (id === undefined ? [] : [id]))
        expect(ids).toEqual(Array.from({ length: put.answer }, (_, id) => id))
        for (const [token, at] of newest) {
          const reports = got.filter(({ params }) => String(params?.progressToken) === token)
          expect(reports.at(-1)?.params?.progress).toBe(at)
        }
        const logs = got.filter(({ method }) => method === 'notifications/message')
        const told = logs.map(({ params }) => params?.data)
        const counted = told.filter((data) => typeof data === 'string')
        const left = counted.reduce((sum, text) => sum + Number(/\d+/u.exec(text)?.[0]), 0)
        expect(told.length - counted.length + left).toBe(put.logs)
      }),
      { numRuns: 200 },
    )
  })
})
