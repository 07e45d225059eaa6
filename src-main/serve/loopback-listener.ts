import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import { AppError } from '../../src-shared/domain/app-error'
import { readRendererFile } from '../adapters/renderer-files'
import { bindLoopback, LOOPBACK, portOf } from '../core/network/bind-loopback'
import { refusalOf } from '../core/network/request-guard'
import { Strangers } from '../core/network/strangers'
import { AccessTokens } from './access-tokens'
import { type ServedCore, serveSocket } from './socket-bridge'

const MAX_SOCKETS = 64
/** Most sockets that may be open without having shown a token. */
const MAX_STRANGERS = 16
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
const MAX_CONNECTIONS = 256

/** A request here is a line and some headers: one that dribbles in only holds a connection; in ms. */
const SLOW_REQUEST = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
}

/** The browser way in, listening on 127.0.0.1 only. */
export type LoopbackListener = {
  readonly port: number
  /** A new link that opens the app once. */
  issueLink(): string
  close(): Promise<void>
}

/**
 * Serves the renderer's files without any data in them, and the contract over `/socket` to who holds a
 * token. Port 0 takes a free one. Rejects when the port is taken.
 */
export async function listenOnLoopback(options: {
  readonly patchbay: ServedCore
  readonly rendererDir: string
  readonly port: number
}): Promise<LoopbackListener> {
  const tokens = new AccessTokens()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  const strangers = new Strangers<WebSocket>(MAX_STRANGERS, (socket) => socket.terminate())
  const server = createServer(SLOW_REQUEST, (request, response) => {
    void serveFile(request, response, options.rendererDir, portOf(server))
  })
  server.maxConnections = MAX_CONNECTIONS
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node hands the socket over bare: unheard, a peer that resets it would end the whole app.
    socket.on('error', () => socket.destroy())
    const isSocket = request.url === '/socket' && sockets.clients.size < MAX_SOCKETS
    if (!isSocket || refusalOf(request.headers, portOf(server), 'socket') !== undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const admitted = strangers.receive(client)
      serveSocket(client, options.patchbay, tokens, admitted)
    })
  })
  await listen(server, options.port)
  return {
    port: portOf(server),
    issueLink: () => `http://${LOOPBACK}:${String(portOf(server))}/#token=${tokens.issueLink()}`,
    close: () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function serveFile(
  request: IncomingMessage,
  response: ServerResponse,
  rendererDir: string,
  port: number,
): Promise<void> {
  const refusal = refusalOf(request.headers, port, 'request')
  if (refusal !== undefined) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end(refusal)
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const path = (request.url ?? '/').split(/[?#]/u)[0] ?? '/'
  const connect = ["'self'", `ws://${request.headers.host ?? ''}`]
  try {
    const file = await readRendererFile(rendererDir, path, connect)
    // Keeps pages of other addresses from loading a file, and so from learning that Patchbay runs.
    const headers = { ...file.headers, 'cross-origin-resource-policy': 'same-origin' }
    response.writeHead(file.status, headers)
    response.end(request.method === 'HEAD' ? undefined : file.body)
  } catch (error) {
    process.stderr.write(`patchbay: ${path} could not be read: ${String(error)}\n`)
    response.writeHead(500, { 'content-type': 'text/plain' }).end('The file could not be read.')
  }
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await bindLoopback(server, port, (error) => {
      process.stderr.write(`patchbay: a connection could not be taken: ${String(error)}\n`)
    })
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('NOT_AVAILABLE_HERE', `Port ${String(port)} cannot be used: ${said}.`, {
      cause,
      hint: 'Choose another one with --port, or leave it out to take a free one.',
    })
  }
}
