import type { IncomingMessage, ServerResponse } from 'node:http'

import { type WebSocket, WebSocketServer } from 'ws'

import { AppError } from '../../src-shared/domain/app-error'
import { errorMessage } from '../../src-shared/domain/error-message'
import { MAX_REQUEST_BYTES } from '../../src-shared/ipc/socket-limit'
import { readRendererFile } from '../adapters/renderer-files'
import { systemTime } from '../core/lifecycle/system-time'
import { LOOPBACK } from '../core/listener/bind-loopback'
import {
  type AccessDecision,
  GuardedListener,
  type GuardedOptions,
  type Refusal,
  UnauthenticatedConnections,
} from '../core/listener/guarded-listener'
import type { Timekeeper } from '../core/ports'
import { AccessTokens } from './access-tokens'
import { endSocket, type ServedCore, serveSocket } from './socket-bridge'

const MAX_SOCKETS = 64
/** Most sockets that may be open without having shown a token. */
const UNAUTHENTICATED_LIMIT = 16
/** Most connections without a token, with those that only load files. */
const MAX_UNAUTHENTICATED = 256

/** A request here is a line and some headers: one that dribbles in only holds a connection; in ms. */
const SLOW_REQUEST = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
}

/** The browser way in, listening on 127.0.0.1 only. */
export type LoopbackListener = {
  readonly port: number
  /** A new link that opens the app once, within a minute; the one before it is void. */
  issueLink(): string
  /** Ends every tab: each needs a new link. */
  signOutTabs(): void
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
  readonly time?: Pick<Timekeeper, 'after'>
  /** The last link can't be opened anymore. */
  readonly onLinkEnd?: () => void
  /** A tab came by a link, and was not the first; how many came so, with the first. */
  readonly onFurtherTab?: (tabs: number) => void
}): Promise<LoopbackListener> {
  const tokens = new AccessTokens(options.time ?? systemTime, options.onLinkEnd)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST_BYTES })
  const unauthenticated = new UnauthenticatedConnections<WebSocket>(
    UNAUTHENTICATED_LIMIT,
    (socket) => socket.terminate(),
  )
  const listener = await open({
    port: options.port,
    patience: SLOW_REQUEST,
    maxUnauthenticated: MAX_UNAUTHENTICATED,
    decideAccess,
    serve: (path, request, response) => serveFile(path, request, response, options.rendererDir),
    upgrade: (request, socket, head) => {
      if (request.url !== '/socket' || sockets.clients.size >= MAX_SOCKETS) return false
      sockets.handleUpgrade(request, socket, head, (client) => {
        const leave = unauthenticated.receive(client)
        serveSocket(client, options.patchbay, tokens, (isNew) => {
          leave()
          listener.admit(socket)
          if (isNew && tokens.tabs > 1) options.onFurtherTab?.(tokens.tabs)
        })
      })
      return true
    },
    onFault: (error) => {
      process.stderr.write(`patchbay: the browser way in: ${String(error)}\n`)
    },
    form: (text) => ({ type: 'text/plain', text }),
  })
  const { port } = listener
  return {
    port,
    issueLink: () => `http://${LOOPBACK}:${String(port)}/#token=${tokens.issueLink()}`,
    signOutTabs: () => {
      tokens.revokeAll()
      const before = [...sockets.clients]
      // Whoever asked for it hears the answer first.
      setImmediate(() => {
        for (const client of before) endSocket(client, 'Signed out.')
      })
    },
    close: () => {
      tokens.revokeAll()
      for (const client of sockets.clients) client.terminate()
      return listener.close()
    },
  }
}

/** The files hold no data, so whoever may ask this address may have them. */
function decideAccess({ method, url = '/' }: IncomingMessage): AccessDecision<string> {
  if (method !== 'GET' && method !== 'HEAD')
    return { refusal: { status: 405, message: 'Use GET.', headers: { allow: 'GET, HEAD' } } }
  return { who: url.split(/[?#]/u)[0] ?? '/' }
}

async function serveFile(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  rendererDir: string,
): Promise<Refusal | undefined> {
  const connect = ["'self'", `ws://${request.headers.host ?? ''}`]
  const file = await readRendererFile(rendererDir, path, connect)
  // Keeps pages of other addresses from loading a file, and so from learning that Patchbay runs.
  const headers = { ...file.headers, 'cross-origin-resource-policy': 'same-origin' }
  response.writeHead(file.status, headers)
  response.end(request.method === 'HEAD' ? undefined : file.body)
  return undefined
}

async function open(options: GuardedOptions<string>): Promise<GuardedListener<string>> {
  try {
    return await GuardedListener.open(options)
  } catch (cause) {
    const said = errorMessage(cause)
    const message = `Can't use port ${String(options.port)}: ${said}.`
    throw new AppError('NOT_AVAILABLE_HERE', message, {
      cause,
      hint: 'Choose another port with --port, or omit it to use a free one.',
    })
  }
}
