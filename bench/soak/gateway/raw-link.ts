import { Agent, type IncomingMessage, request } from 'node:http'

import type { AgentLink, LinkAnswer, LinkCall } from './agent-link'

const OLDER = '2025-11-25'
const NEWER = '2026-07-28'
const SESSION = 'mcp-session-id'
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWER,
  'io.modelcontextprotocol/clientInfo': { name: 'soak-raw-stateless', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly message?: string }
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: { readonly code?: string } }
}

/** Connects over plain HTTP, with or without a session. */
export async function connectRaw(
  url: string,
  key: string,
  protocolMode: 'sessions' | 'stateless',
): Promise<AgentLink> {
  const link = new RawLink(url, key, protocolMode)
  await link.greet()
  return link
}

class RawLink implements AgentLink {
  extraAnswers = 0
  readonly #http = new Agent({ keepAlive: true })
  readonly #headers: Record<string, string>
  #lastId = 0

  constructor(
    private readonly url: string,
    key: string,
    private readonly protocolMode: 'sessions' | 'stateless',
  ) {
    this.#headers = {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
  }

  async greet(): Promise<void> {
    if (this.protocolMode === 'stateless') {
      await this.#ask('server/discover', {}, {})
      return
    }
    const clientInfo = { name: 'soak-raw-sessions', version: '1' }
    const params = { protocolVersion: OLDER, capabilities: {}, clientInfo }
    await this.#ask('initialize', params, {})
    this.#headers['mcp-protocol-version'] = OLDER
    await this.#notify('notifications/initialized', {})
  }

  call({ tool, args, onProgress, signal }: LinkCall): Promise<LinkAnswer> {
    return this.#ask('tools/call', { name: tool, arguments: args }, { onProgress, signal })
  }

  async close(): Promise<void> {
    if (this.protocolMode === 'sessions') await this.#send('DELETE', undefined, {})
    this.#http.destroy()
  }

  vanish(): Promise<void> {
    this.#http.destroy()
    return Promise.resolve()
  }

  async #ask(
    method: string,
    params: Record<string, unknown>,
    { onProgress, signal }: Pick<LinkCall, 'onProgress' | 'signal'>,
  ): Promise<LinkAnswer> {
    this.#lastId += 1
    const id = this.#lastId
    const progressToken = `token-${id}`
    const _meta = {
      ...(this.protocolMode === 'stateless' && META),
      ...(onProgress && { progressToken }),
    }
    const answers: Message[] = []
    const onMessage = (message: Message): void => {
      if (message.method === 'notifications/progress') onProgress?.(message.params?.message ?? '')
      else if (message.method === undefined) answers.push(message)
    }
    const cancel = (): void => {
      const sent = this.#notify('notifications/cancelled', { requestId: id })
      sent.catch(() => undefined) // it has disconnected entirely
    }
    if (this.protocolMode === 'sessions') signal?.addEventListener('abort', cancel, { once: true })
    try {
      const message = { id, method, params: { ...params, _meta } }
      // Without a session, closing its connection cancels a request.
      const end = this.protocolMode === 'stateless' ? signal : undefined
      await this.#send('POST', message, { onMessage, signal: end })
    } catch (error) {
      if (!signal?.aborted) throw error
    }
    const own = answers.filter((answer) => answer.id === id)
    this.extraAnswers += answers.length - Math.min(own.length, 1)
    return this.#answerOf(own[0], signal)
  }

  #answerOf(answer: Message | undefined, signal: AbortSignal | undefined): LinkAnswer {
    if (answer?.error) return { kind: 'error', ...answer.error }
    if (answer) return { kind: 'result', result: answer.result }
    if (signal?.aborted) return { kind: 'cancelled' }
    throw new Error('The answer ended without an answer.')
  }

  async #notify(method: string, params: object): Promise<void> {
    await this.#send('POST', { method, params }, {})
  }

  async #send(
    method: string,
    message: { readonly method: string; readonly params: object } | undefined,
    {
      onMessage,
      signal,
    }: {
      readonly onMessage?: (message: Message) => void
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const headers = {
      ...this.#headers,
      ...(this.protocolMode === 'stateless' && statelessHeaders(message)),
    }
    const options = { method, headers, agent: this.#http, ...(signal && { signal }) }
    const sent = request(this.url, options, (response) => {
      const session = response.headers[SESSION]
      if (typeof session === 'string') this.#headers[SESSION] = session
      const { statusCode = 0 } = response
      if (statusCode >= 300) reject(new Error(`The gateway answered ${statusCode}.`))
      readMessages(response, (one) => onMessage?.(one))
      response.once('error', reject).once('end', () => resolve(undefined))
    })
    sent.once('error', reject)
    sent.end(message && JSON.stringify({ jsonrpc: '2.0', ...message }))
    await promise
  }
}

function statelessHeaders(
  message: { readonly method: string; readonly params: object } | undefined,
): Record<string, string> {
  const headers = { 'mcp-protocol-version': NEWER, 'mcp-method': message?.method ?? '' }
  const { params = {} } = message ?? {}
  return 'name' in params ? { ...headers, 'mcp-name': String(params.name) } : headers
}

/** Passes on each message as it arrives, of a stream or a single-message body. */
function readMessages(response: IncomingMessage, onMessage: (message: Message) => void): void {
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false
  let text = ''
  const take = (event: string): void => {
    const data = /^data: ?(.*)$/mu.exec(event)?.[1] ?? ''
    if (data.startsWith('{')) onMessage(JSON.parse(data) as Message)
  }
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    if (!isStream) return
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) take(event)
  })
  response.on('end', () => {
    if (!isStream && text.startsWith('{')) onMessage(JSON.parse(text) as Message)
  })
}
