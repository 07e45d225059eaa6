import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import * as z from 'zod'

const Asked = z.object({
  messages: z.array(z.object({ role: z.string() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
})
type Asked = z.infer<typeof Asked>

/**
 * A model on this computer in the way of OpenAI, for agents that do nothing without one: it calls the tool `echo` once
 * where it is offered one, and says “done” to everything else.
 */
export class LoopbackModel implements AsyncDisposable {
  /** The tools of each question, in their order. */
  readonly offered: string[][] = []
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  /** Begins to listen; the base address of its interface. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/v1`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = Asked.safeParse(JSON.parse((await text(request)) || '{}')).data
    if (asked) this.offered.push(asked.tools.map((tool) => tool.function.name))
    const common = { id: 'one', object: 'chat.completion.chunk', created: 1, model: 'none' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const call = callFor(asked)
    const delta = { role: 'assistant', content: 'done', ...(call && { tool_calls: [call] }) }
    const reason = call ? 'tool_calls' : 'stop'
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of [
      { ...common, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...common, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage },
    ])
      response.write(`data: ${JSON.stringify(part)}\n\n`)
    response.end('data: [DONE]\n\n')
  }
}

function callFor(asked: Asked | undefined): object | undefined {
  const name = asked?.tools.map((tool) => tool.function.name).find((one) => one.endsWith('__echo'))
  if (name === undefined || asked?.messages.some(({ role }) => role === 'tool')) return undefined
  const called = { name, arguments: '{"value":"seven"}' }
  return { index: 0, id: 'call-1', type: 'function', function: called }
}
