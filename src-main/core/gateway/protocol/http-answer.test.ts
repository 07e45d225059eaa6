import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'

import { acceptedForms, eventOf, EventQueue, HttpAnswer } from './http-answer'

const MB = 1024 * 1024

/** Opens a stream that the agent doesn't read yet. */
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
  const [received] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage]
  received.pause().on('error', () => undefined)
  return { received, answer: await promise }
}

async function textOf(received: IncomingMessage): Promise<string> {
  return Buffer.concat((await received.toArray()) as Buffer[]).toString()
}

describe('D6: a stream that its agent does not read', () => {
  it('is closed with its connection when too much is queued', async () => {
    const { received, answer } = await openUnread()
    // Requests to the agent are never dropped.
    for (let count = 0; count < 100; count += 1)
      answer.request(String(count), 'elicitation/create', { message: 'x'.repeat(MB) })
    expect(answer.isGone).toBe(true)
    await expect(textOf(received)).rejects.toThrow()
    expect(received.complete).toBe(false)
  })

  it('is sent completely and in order once the agent reads', async () => {
    const { received, answer } = await openUnread()
    for (let id = 0; id < 40; id += 1)
      answer.request(String(id), 'elicitation/create', { message: 'x'.repeat(MB) })
    answer.result('40', '{\n"text":\r\n"last"}')
    const text = await textOf(received)
    const ids = [...text.matchAll(/"id":"?(\d+)/gu)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: 41 }, (_, id) => id))
    const last = 'data: {"jsonrpc":"2.0","id":40,"result":{ "text": "last"}}\n\n'
    expect(text.endsWith(last)).toBe(true)
    expect(received.complete).toBe(true)
  })
})

type Params = Record<string, unknown>
type Message = { id?: number | string; method?: string; params?: Params }
type Event = [event: Buffer, method?: string, params?: Params]

const event = (method?: string, params: Params = {}, id?: number): Event => {
  const message = method === undefined ? { id, result: params } : { id, method, params }
  return [eventOf(JSON.stringify(message)), method, params]
}
const answer = (id: number, pad = 0): Event => event(undefined, { pad: 'x'.repeat(pad) }, id)
const log = (data: number, pad: number): Event =>
  event('notifications/message', { level: 'error', data, pad: 'x'.repeat(pad) })
const progress = (progressToken: string | number, at: number): Event =>
  event('notifications/progress', { progressToken, progress: at })
const LISTS = ['tools', 'prompts', 'resources']
const changed = (kind = ''): Event => event(`notifications/${kind}/list_changed`)
const updated = (uri: string): Event => event('notifications/resources/updated', { uri })

/** Takes up to this many messages. */
function drain(queue: EventQueue, most = Infinity): Message[] {
  const messages: Message[] = []
  while (messages.length < most && !queue.isEmpty)
    messages.push(JSON.parse(String(queue.shift()).split('data: ')[1] ?? '') as Message)
  return messages
}

describe('D6: events queued for a slow reader', () => {
  it('keep the newest progress of each token, and one change of each kind and resource', () => {
    const queue = new EventQueue()
    for (let at = 1; at <= 1_000; at += 1) {
      for (const token of ['a', 1, '1']) queue.push(...progress(token, at))
      for (const kind of LISTS) queue.push(...changed(kind))
      for (const uri of ['memo://a', 'memo://b']) queue.push(...updated(uri))
    }
    expect(queue.changes).toHaveLength(5)
    const messages = drain(queue)
    expect(messages).toHaveLength(8)
    const newest = ['a', 1, '1'].map((progressToken) => ({ progressToken, progress: 1_000 }))
    expect(messages.slice(0, 3).map(({ params }) => params)).toEqual(newest)
  })

  it('keep every response and request in order, whatever their length, and 1 MB of logs plus a count of the dropped ones', () => {
    const queue = new EventQueue()
    expect(queue.push(...event('elicitation/create', {}, 0))).toBe(true)
    for (let at = 0; at < 300; at += 1) queue.push(...log(at, 10_000))
    expect(queue.push(...answer(1, 70 * MB))).toBe(true)
    const messages = drain(queue)
    expect(messages.flatMap(({ id }) => id ?? [])).toEqual([0, 1])
    const logs = messages.filter(({ method }) => method === 'notifications/message')
    const data = `${String(300 - logs.length + 1)} messages were dropped because they arrived faster than they were read.`
    expect(logs.at(-1)?.params).toEqual({ level: 'error', data })
    expect(JSON.stringify(logs).length).toBeLessThan(MB)
  })

  it('lose no response, change or newest progress in any order of events', () => {
    const kinds = { answer: 1_000, progress: 3, changed: 2, updated: 3, log: 400_000, read: 3 }
    const one = fc.oneof(
      ...Object.entries(kinds).map(([kind, most]) =>
        fc.record({ kind: fc.constant(kind), n: fc.nat(most) }),
      ),
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
          if (kind === 'changed') queue.push(...changed(LISTS[n]))
          if (kind === 'updated') queue.push(...updated(`memo://${n}`))
          if (kind === 'log') queue.push(...log(put.logs++, n))
          if (kind === 'read') got.push(...drain(queue, n))
        })
        got.push(...drain(queue))
        const ids = got.flatMap(({ id }) => id ?? [])
        expect(ids).toEqual(Array.from({ length: put.answer }, (_, id) => id))
        for (const [token, at] of newest) {
          const reports = got.filter(({ params }) => String(params?.progressToken) === token)
          expect(reports.at(-1)?.params?.progress).toBe(at)
        }
        const logs = got.filter(({ method }) => method === 'notifications/message')
        const counted = logs.map(({ params }) => /^\d+ m/u.exec(String(params?.data)))
        const dropped = counted.reduce(
          (sum, found) => sum + (found ? parseInt(found[0]) - 1 : 0),
          0,
        )
        expect(logs.length + dropped).toBe(put.logs)
      }),
      { numRuns: 200 },
    )
  })
})

describe('F7: the response formats that an agent accepts', () => {
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
  ])('are parsed from %j', (accept, json, events) => {
    expect(acceptedForms(accept)).toEqual({ json, events })
  })
})

describe('F6: a lone surrogate on its way to an agent', () => {
  it('becomes U+FFFD in results, errors and notifications', async () => {
    const { received, answer } = await openUnread()
    answer.notify('notifications/message', { data: '\ud83d' })
    answer.result('1', String.raw`{"a":"\ud83d","whole":"\ud83d\ude00"}`)
    const text = await textOf(received)
    expect(text).toContain(String.raw`"data":"\ufffd"`)
    expect(text).toContain(String.raw`{"a":"\ufffd","whole":"\ud83d\ude00"}`)
  })
})
