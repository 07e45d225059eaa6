import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'

/** A gateway's transport: Streamable HTTP (MCP 2025-11-25), or HTTP with SSE (MCP 2024-11-05). */
export type Dialect = 'streamable' | 'sse'

const VERSION = '2025-06-18'
const NEWLINES = '\n\n'
/** Bytes read of a response, enough to recognize an error. */
const LOOKED_AT = 2_048

/** A bench agent: plain `node:http` with kept connections, the same for every gateway, so that it adds the same cost. */
export class Peer {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #headers: Record<string, string>
  readonly #waiting = new Map<number, (answer: Buffer) => void>()
  #nextId = 0
  #post: URL
  #stream: ClientRequest | undefined

  private constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#post = new URL(url)
    this.#headers = {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
  }

  /** Connects and initializes. */
  static async connect(
    url: string,
    options: {
      readonly dialect?: Dialect
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): Promise<Peer> {
    const peer = new Peer(url, options.headers ?? {})
    if (options.dialect === 'sse') await peer.listen()
    const clientInfo = { name: 'bench', version: '0' }
    await peer.ask('initialize', { protocolVersion: VERSION, capabilities: {}, clientInfo })
    await peer.#send({ method: 'notifications/initialized' })
    return peer
  }

  /** Opens the stream on which a gateway with sessions answers or notifies. */
  async listen(): Promise<void> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { ...this.#headers, accept: 'text/event-stream' }
      this.#stream = request(this.#post, { headers }, resolve).on('error', reject).end()
    })
    if (response.statusCode !== 200)
      throw new Error(`The stream is refused: ${String(response.statusCode)}.`)
    const isOlder = Promise.withResolvers<undefined>()
    if (this.#headers['mcp-session-id'] !== undefined) isOlder.resolve(undefined)
    let text = ''
    response.setEncoding('utf8')
    response.on('error', () => undefined) // closed by this side
    response.on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf(NEWLINES); end !== -1; end = text.indexOf(NEWLINES)) {
        this.#event(text.slice(0, end), () => isOlder.resolve(undefined))
        text = text.slice(end + NEWLINES.length)
      }
    })
    await isOlder.promise
  }

  /** Resolves to the whole raw response; rejects if it is an error. */
  async ask(method: string, params: object): Promise<Buffer> {
    this.#nextId += 1
    const id = this.#nextId
    const later = new Promise<Buffer>((resolve) => this.#waiting.set(id, resolve))
    const answer = (await this.#send({ id, method, params })) ?? (await later)
    this.#waiting.delete(id)
    const head = answer.toString('latin1', 0, LOOKED_AT)
    if (!head.includes('"result"') || head.includes('"isError":true'))
      throw new Error(`${method} failed: ${head.slice(0, 500)}`)
    return answer
  }

  /** Calls a tool; see `ask`. */
  call(name: string, args: object): Promise<Buffer> {
    return this.ask('tools/call', { name, arguments: args })
  }

  close(): void {
    this.#stream?.destroy()
    this.#agent.destroy()
  }

  #event(text: string, onOlder: () => void): void {
    const data = /^data: ?(.*)$/mu.exec(text)?.[1] ?? ''
    if (/^event: ?endpoint$/mu.test(text)) {
      this.#post = new URL(data, this.#post)
      onOlder()
    } else if (data.startsWith('{')) {
      const { id } = JSON.parse(data) as { id?: number }
      if (id !== undefined) this.#waiting.get(id)?.(Buffer.from(data))
    }
  }

  /** The response, if any; undefined if it comes on the stream, or never. */
  async #send(message: object): Promise<Buffer | undefined> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
    const headers = { ...this.#headers, 'content-length': body.length }
    const options = { method: 'POST', agent: this.#agent, headers }
    const posted = request(this.#post, options, (response) => {
      const session = response.headers['mcp-session-id']
      if (typeof session === 'string') this.#headers['mcp-session-id'] = session
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0 } = response
        const body = Buffer.concat(chunks)
        if (statusCode === 200) resolve(body)
        else if (statusCode === 202) resolve(undefined)
        else reject(new Error(`${String(statusCode)}: ${body.toString('latin1', 0, LOOKED_AT)}`))
      })
    })
    posted.on('error', reject)
    posted.end(body)
    return promise
  }
}
