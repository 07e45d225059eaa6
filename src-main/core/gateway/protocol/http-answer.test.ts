import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { acceptedForms, HttpAnswer } from './http-answer'

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
    const read: Buffer[] = []
    for await (const chunk of received) read.push(chunk as Buffer)
    const text = Buffer.concat(read).toString()
    const ids = [...text.matchAll(/"id":"?(\d+)/gu)].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: count + 1 }, (_, id) => id))
    expect(text.endsWith('data: {"jsonrpc":"2.0","id":40,"result":{ "text": "last"}}\n\n')).toBe(
      true,
    )
    expect(received.complete).toBe(true)
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
