import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { acceptedForms, HttpAnswer, wellFormedJson } from './http-answer'

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
  it.each([
    [String.raw`"a\ud83d"`, String.raw`"a\ufffd"`],
    [String.raw`"\uDE00 b"`, String.raw`"\ufffd b"`],
    [String.raw`"\ud83d\uD83D\uDE00"`, String.raw`"\ufffd\uD83D\uDE00"`],
    [String.raw`"\ud83d\ude00"`, String.raw`"\ud83d\ude00"`],
    [String.raw`"\\ud83d \u00e4"`, String.raw`"\\ud83d \u00e4"`],
  ])('is replaced in %s', (json, expected) => {
    expect(wellFormedJson(json)).toBe(expected)
    expect(wellFormedJson(Buffer.from(json)).toString()).toBe(expected)
  })
})
