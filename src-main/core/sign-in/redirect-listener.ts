import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { bindLoopback, LOOPBACK, portOf } from '../listener/bind-loopback'
import { Strangers } from '../listener/guarded-listener'
import { PAGE_HEADERS, redirectPage } from './redirect-page'

const PATH = '/callback'
const SLOW_REQUEST = { headersTimeout: 5_000, requestTimeout: 10_000 }
const MAX_CONNECTIONS = 16

/** What a person tells an authorization server that Patchbay cannot register with; any port of it is used (RFC 8252, 7.3). */
export const REDIRECT_ADDRESS = `http://${LOOPBACK}${PATH}`

/** Waits on this computer for the browser to bring the answer of an authorization server (RFC 8252, 7.3). */
export type RedirectListener = Disposable & {
  readonly redirectUrl: string
  /** The first answer that carries the right `state`; it settles once, or never. */
  readonly answer: Promise<URLSearchParams>
}

type Page = { readonly status: number; readonly title: string; readonly text: string }

/** Listens on a free port of 127.0.0.1; `onRefused` hears of answers with a wrong `state`, which change nothing. */
export async function listenForRedirect(options: {
  readonly state: string
  readonly onRefused: () => void
}): Promise<RedirectListener> {
  const answer = Promise.withResolvers<URLSearchParams>()
  let isUsed = false
  const answerTo = (request: IncomingMessage): Page => {
    const refusal = refusalOf(request, portOf(server))
    if (refusal) return refusal
    const { searchParams } = new URL(request.url ?? '/', `http://${LOOPBACK}`)
    if (!isSame(searchParams.getAll('state'), options.state)) {
      options.onRefused()
      return {
        status: 400,
        title: 'Not accepted',
        text: 'This response belongs to another sign-in. Nothing was changed.',
      }
    }
    if (isUsed) return { status: 410, title: 'Already used', text: 'This link works only once.' }
    isUsed = true
    answer.resolve(searchParams)
    return {
      status: 200,
      title: 'Signed in',
      text: 'You can close this tab and return to Patchbay.',
    }
  }
  const server = createServer(SLOW_REQUEST, (request, response) => {
    const { status, title, text } = answerTo(request)
    response.writeHead(status, PAGE_HEADERS).end(redirectPage(title, text))
  })
  // None of them shows a right to be here: the browser's is the newest.
  const strangers = new Strangers<Socket>(MAX_CONNECTIONS, (socket) => socket.destroy())
  server.on('connection', (socket: Socket) => void strangers.receive(socket))
  // A connection that cannot be taken is one answer less, and the person can try again.
  await bindLoopback(server, 0, () => undefined)
  return {
    redirectUrl: `http://${LOOPBACK}:${String(portOf(server))}${PATH}`,
    answer: answer.promise,
    [Symbol.dispose]: () => {
      // The page that says so is still on its way.
      server.close()
    },
  }
}

/** A page elsewhere that leads its own name to 127.0.0.1 sends that name as `Host`. */
function refusalOf({ headers, method, url }: IncomingMessage, port: number): Page | undefined {
  if (headers.host !== `${LOOPBACK}:${String(port)}`)
    return {
      status: 403,
      title: 'Not found',
      text: 'This address accepts requests for 127.0.0.1 only.',
    }
  if ((url ?? '').split('?')[0] !== PATH)
    return { status: 404, title: 'Not found', text: 'Return to Patchbay.' }
  if (method !== 'GET') return { status: 405, title: 'Not allowed', text: 'Return to Patchbay.' }
  return undefined
}

/** In constant time, and only where there is exactly one. */
function isSame(given: readonly string[], wanted: string): boolean {
  const [one = '', ...others] = given
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(wanted)) && others.length === 0
}
