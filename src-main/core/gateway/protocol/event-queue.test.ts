import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type EventKind, eventOf, EventQueue, kindOfNotification } from './event-queue'

type Message = { id?: number | string; method?: string; params?: Record<string, unknown> }
type Event = [event: Uint8Array, kind: EventKind]

const event = (message: Message & { result?: object }): Event => {
  const { id, method, params = {} } = message
  const kind: EventKind =
    method === undefined
      ? { kind: 'answer' }
      : id === undefined
        ? kindOfNotification(method, params)
        : { kind: 'request' }
  return [eventOf(JSON.stringify({ ...message, jsonrpc: '2.0' })), kind]
}
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
    expect([...queue.changes()]).toHaveLength(5)
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
