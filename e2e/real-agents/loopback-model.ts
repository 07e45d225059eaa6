import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import * as z from 'zod'

const ModelRequest = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
})
type ModelRequest = z.infer<typeof ModelRequest>

/**
 * A local model with OpenAI's API, for agents that need one: calls the tool `echo` if offered, once by default, and answers “done”
 * otherwise.
 */
export class LoopbackModel implements AsyncDisposable {
  /** Tools of each request, in order. */
  readonly offered: string[][] = []
  /** The newest results of calls, in order. */
  results: unknown[] = []
  /** Calls per turn, and a hook before each call. */
  calls = 1
  beforeCall: (count: number) => Promise<void> = () => Promise.resolve()
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  /** Starts listening; returns the API's base address. */
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
    const sent = ModelRequest.safeParse(JSON.parse((await text(request)) || '{}')).data
    if (sent) {
      this.offered.push(sent.tools.map((tool) => tool.function.name))
      const results = sent.messages.filter(({ role }) => role === 'tool')
      if (results.length > 0) this.results = results.map(({ content }) => content)
    }
    const common = { id: 'one', object: 'chat.completion.chunk', created: 1, model: 'none' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    const call = callFor(sent, this.calls)
    if (call) await this.beforeCall(call.index)
    const delta = { role: 'assistant', content: 'done', ...(call && { tool_calls: [call.made] }) }
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

/** The next call of a turn after `index` calls. */
function callFor(
  request: ModelRequest | undefined,
  calls: number,
): { readonly index: number; readonly made: object } | undefined {
  const name = request?.tools
    .map((tool) => tool.function.name)
    .find((one) => one.endsWith('__echo'))
  const index = request?.messages.filter(({ role }) => role === 'tool').length ?? 0
  if (name === undefined || index >= calls) return undefined
  const called = { name, arguments: JSON.stringify({ value: `seven ${String(index)}` }) }
  return {
    index,
    made: { index: 0, id: `call-${String(index)}`, type: 'function', function: called },
  }
}
