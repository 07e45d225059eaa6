import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { WebExchange } from './web-exchange'

const MB = 1024 * 1024

/** An answer in events, of which the reader reads nothing; `enqueue` takes the next one. */
async function openUnread(): Promise<{
  answer: IncomingMessage
  enqueue: (message: object) => void
  end: () => void
  served: Promise<void>
}> {
  const { promise, resolve } = Promise.withResolvers<{
    controller: ReadableStreamDefaultController<Uint8Array>
    served: Promise<void>
  }>()
  const server = createServer((request, response) => {
    const exchange = new WebExchange(request, response)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const headers = { 'content-type': 'text/event-stream' }
        // The stream is not made yet where this runs.
        queueMicrotask(() =>
          resolve({ controller, served: exchange.answer(new Response(body, { headers })) }),
        )
      },
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const asking = get({ port, host: '127.0.0.1' })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.pause().on('error', () => undefined)
  const { controller, served } = await promise
  const enqueue = (message: object): void =>
    controller.enqueue(Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`))
  return { answer, enqueue, end: () => controller.close(), served }
}

describe('D6 an answer that nobody reads', () => {
  it('ends with its connection when more waits than may', async () => {
    const { answer, enqueue, served } = await openUnread()
    // Questions to the agent are never left out.
    const question = { id: 1, method: 'elicitation/create', params: { message: 'x'.repeat(MB) } }
    for (let count = 0; count < 100; count += 1) enqueue(question)
    await served
    const closed = Promise.withResolvers<undefined>()
    answer.once('close', () => closed.resolve(undefined)).resume()
    await closed.promise
    expect(answer.complete).toBe(false)
  })

  it('is sent whole and in order once somebody does', async () => {
    const { answer, enqueue, end, served } = await openUnread()
    const count = 40
    for (let id = 0; id < count; id += 1) enqueue({ id, result: { text: 'x'.repeat(MB) } })
    end()
    const read: Buffer[] = []
    for await (const chunk of answer) read.push(chunk as Buffer)
    await served
    const ids = [
      ...Buffer.concat(read)
        .toString()
        .matchAll(/"id":(\d+)/gu),
    ].map(([, id]) => Number(id))
    expect(ids).toEqual(Array.from({ length: count }, (_, id) => id))
    expect(answer.complete).toBe(true)
  })
})
