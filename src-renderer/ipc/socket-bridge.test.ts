import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket as Peer, WebSocketServer } from 'ws'
import * as z from 'zod'

import { pause } from '../../e2e/fixtures/pause'
import { MAX_REQUEST_BYTES } from '../../src-shared/ipc/socket-limit'
import { type BridgeLink, type Connection, openSocketLink } from './socket-bridge'

const Request = z.object({ id: z.number(), channel: z.string(), input: z.unknown() })

/** A main process that accepts the token `link` once, then `tab`. It never responds to `log.clearFiles`, and to the rest all at once. */
class RealMain {
  readonly greetings: unknown[] = []
  readonly peers = new Set<Peer>()
  #server: WebSocketServer | undefined

  async listen(port = 0): Promise<number> {
    const server = new WebSocketServer({ host: '127.0.0.1', port })
    this.#server = server
    server.on('connection', (peer) => this.#greet(peer))
    await new Promise((ready) => server.once('listening', ready))
    return (server.address() as AddressInfo).port
  }
  #greet(peer: Peer): void {
    this.peers.add(peer)
    peer.once('message', (data: Buffer) => {
      const { token } = z.object({ token: z.string() }).parse(JSON.parse(data.toString()))
      this.greetings.push(token)
      if (token !== 'link' && token !== 'tab') {
        peer.close(4401)
        return
      }
      peer.send(JSON.stringify({ type: 'welcome', token: 'tab' }))
      peer.on('message', (request: Buffer) => {
        const { id, channel, input } = Request.parse(JSON.parse(request.toString()))
        if (channel === 'log.clearFiles') return
        const value = channel === 'server.stop' ? undefined : { channel, input }
        peer.send(JSON.stringify({ id, reply: { ok: true, value } }))
      })
    })
  }
  emit(message: unknown): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message)
    for (const peer of this.peers) peer.send(text)
  }
  async close(): Promise<void> {
    for (const peer of this.peers) peer.terminate()
    this.peers.clear()
    await new Promise((closed) => this.#server?.close(closed) ?? closed(undefined))
  }
}

function reach(link: BridgeLink, wanted: Connection): Promise<void> {
  return new Promise((reached) => {
    link.watchConnection((connection) => {
      if (connection === wanted) reached()
    })
  })
}

describe('the bridge over a socket', () => {
  let main: RealMain
  let port: number
  let links: Disposable[]
  let kept: string[]

  const connect = (token: string | null): BridgeLink => {
    const link = openSocketLink({
      url: `ws://127.0.0.1:${port}/socket`,
      token,
      keepToken: (given) => kept.push(given),
    })
    links.push(link)
    return link
  }

  beforeEach(async () => {
    links = []
    kept = []
    main = new RealMain()
    port = await main.listen()
  })
  afterEach(async () => {
    for (const link of links) link[Symbol.dispose]()
    await main.close()
  })

  it('sends the token, keeps the new one, then sends requests and receives responses', async () => {
    const link = connect('link')
    await reach(link, 'connected')
    const input = { installationId: 'x' }
    await expect(link.bridge.requests['server.start'](input)).resolves.toEqual({
      ok: true,
      value: { channel: 'server.start', input },
    })
    expect(main.greetings).toEqual(['link'])
    expect(kept).toEqual(['tab'])
  })

  it('resolves a request whose response has no value', async () => {
    const link = connect('link')
    await reach(link, 'connected')
    const reply = link.bridge.requests['server.stop']({ installationId: 'x' })
    await expect(reply).resolves.toEqual({ ok: true })
  })

  it('delivers events to listeners until they unsubscribe, and ignores invalid messages', async () => {
    const link = connect('link')
    await reach(link, 'connected')
    const listeners: unknown[] = []
    const stop = link.bridge.events['server.removed']((payload) => listeners.push(payload))
    main.emit('no JSON')
    main.emit({ event: 'no.such', payload: 0 })
    main.emit({ event: 'server.removed', payload: { revision: 1, installationId: 'a' } })
    await link.bridge.requests['app.snapshot']({})
    stop()
    main.emit({ event: 'server.removed', payload: { revision: 2, installationId: 'b' } })
    await link.bridge.requests['app.snapshot']({})
    expect(listeners).toEqual([{ revision: 1, installationId: 'a' }])
  })

  it('rejects pending requests when the connection is lost, and reconnects automatically with the kept token', async () => {
    const link = connect('link')
    await reach(link, 'connected')
    const inFlight = link.bridge.requests['log.clearFiles']({})
    await main.close()
    await expect(inFlight).resolves.toMatchObject({ ok: false, error: { code: 'DISCONNECTED' } })
    await expect(link.bridge.requests['app.snapshot']({})).resolves.toMatchObject({
      error: { code: 'DISCONNECTED' },
    })
    await main.listen(port)
    await reach(link, 'connected')
    await expect(link.bridge.requests['app.snapshot']({})).resolves.toMatchObject({ ok: true })
    expect(main.greetings).toEqual(['link', 'tab'])
  })

  it('rejects a request that is too large for the connection', async () => {
    const link = connect('link')
    await reach(link, 'connected')
    const write = (value: string): Promise<unknown> =>
      link.bridge.requests['server.start']({ installationId: value })
    // Two bytes per letter.
    const half = 'é'.repeat(MAX_REQUEST_BYTES / 2)
    await expect(write(half)).resolves.toMatchObject({ error: { code: 'MESSAGE_TOO_LARGE' } })
    await expect(write(half.slice(100))).resolves.toMatchObject({ ok: true })
    expect(main.greetings).toEqual(['link'])
  })

  it('is rejected permanently with a wrong token', async () => {
    const link = connect('stranger')
    await reach(link, 'refused')
    await pause(600)
    expect(main.greetings).toEqual(['stranger'])
  })

  it('does not connect without a token', async () => {
    const link = connect(null)
    await reach(link, 'refused')
    expect(main.peers.size).toBe(0)
  })
})
