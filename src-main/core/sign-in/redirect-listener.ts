import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { AppError } from '../../../src-shared/domain/app-error'
import { background } from '../lifecycle/background'
import { within } from '../lifecycle/time-limit'
import { bindLoopback, LOOPBACK, LOOPBACK_6, portOf } from '../listener/bind-loopback'
import { UnauthenticatedConnections } from '../listener/guarded-listener'

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;color-scheme:light dark}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Builds the page that a browser shows after a sign-in from two plain texts. */
function redirectPage(title: string, text: string): string {
  const [heading, paragraph] = [title, text].map(escaped)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${heading}</title><style>${STYLE}</style><h1>${heading}</h1><p>${paragraph}</p></html>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** The address holds the sign-in's response, so the page loads, frames, stores and passes on nothing. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
}

const REDIRECT_PATH = '/callback'
const SLOW_REQUEST = { headersTimeout: 5_000, requestTimeout: 10_000 }
const MAX_CONNECTIONS = 16
/** How long the browser waits for the sign-in's outcome, in ms. */
const RESPONSE_MS = 20_000
/** Attempts to find a port that is free on both 127.0.0.1 and ::1. */
const MAX_PORTS = 10

/** The page to show, or the address of the next page. */
export type RedirectAnswer = URL | { readonly title: string; readonly text: string }

/** Waits on this computer for the authorization server's redirect (RFC 8252, 7.3). */
export type RedirectListener = Disposable & {
  /** The redirect as registered, character by character. */
  readonly redirectUrl: string
  /** Accepts one response with this `state`. `onAnswer` never rejects. */
  readonly expect: (
    state: string,
    onAnswer: (answer: URLSearchParams) => Promise<RedirectAnswer>,
  ) => void
}

type Page = { readonly status: number; readonly title: string; readonly text: string }

type Expected = {
  readonly state: string
  readonly onAnswer: (answer: URLSearchParams) => Promise<RedirectAnswer>
  isUsed: boolean
}

/** Whether a redirect leads to this computer: http at 127.0.0.1, ::1 or localhost. */
export function isRedirectUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url?.protocol === 'http:' &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '' &&
    [LOOPBACK, `[${LOOPBACK_6}]`, 'localhost'].includes(url.hostname)
  )
}

/**
 * Listens at `redirectUrl`, or on a free port of `host`; a redirect to `localhost` is served on both IP families. `onRejected` is called
 * for a response with a wrong `state`, which changes nothing. Rejects with SIGN_IN_FAILED if the port is taken or can't be opened.
 */
export async function listenForRedirect(options: {
  readonly redirectUrl?: string | undefined
  readonly host?: 'localhost' | typeof LOOPBACK
  readonly onRejected: () => void
}): Promise<RedirectListener> {
  const { host = LOOPBACK, onRejected } = options
  const configured = new URL(options.redirectUrl ?? `http://${host}:0${REDIRECT_PATH}`)
  let expected: Expected | undefined
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, configured, port)
    const { searchParams } = new URL(request.url ?? '/', `http://${LOOPBACK}`)
    if (refusal) {
      show(response, refusal)
      return
    }
    if (!expected || !isSame(searchParams.getAll('state'), expected.state)) {
      onRejected()
      show(response, FOREIGN)
      return
    }
    if (expected.isUsed) {
      show(response, USED)
      return
    }
    expected.isUsed = true
    const answer = await within(RESPONSE_MS, expected.onAnswer(searchParams), () => LATE)
    if (answer instanceof URL)
      response.writeHead(302, { ...PAGE_HEADERS, location: answer.href }).end()
    else show(response, { status: 200, ...answer })
  }
  const servers = await listenAt(configured, () =>
    createServer(SLOW_REQUEST, (request, response) =>
      background(respond(request, response), 'answering the sign-in page'),
    ),
  )
  const port = portOf(servers[0])
  const isFixed = options.redirectUrl !== undefined
  return {
    redirectUrl: options.redirectUrl ?? `http://${host}:${String(port)}${REDIRECT_PATH}`,
    expect: (state, onAnswer) => {
      expected = { state, onAnswer, isUsed: false }
    },
    [Symbol.dispose]: () => {
      // The last page is still being sent. A fixed port is free for the next try once its connections close.
      for (const server of servers) {
        server.close()
        if (isFixed) server.closeIdleConnections()
      }
    },
  }
}

/** Rejects with SIGN_IN_FAILED, after closing every server. */
async function listenAt(url: URL, create: () => Server): Promise<[Server, ...Server[]]> {
  const isBoth = url.hostname === 'localhost'
  const first = url.hostname === `[${LOOPBACK_6}]` ? LOOPBACK_6 : LOOPBACK
  const wanted = url.port === '' ? 80 : Number(url.port)
  for (let tries = 1; ; tries += 1) {
    const server = await listenOn(create(), wanted, first)
    if (!isBoth) return [server]
    try {
      return [server, await listenOn(create(), portOf(server), LOOPBACK_6)]
    } catch (error) {
      // Without IPv6, localhost means 127.0.0.1 alone.
      if (!(error instanceof AppError)) return [server]
      server.close()
      if (wanted !== 0 || tries === MAX_PORTS) throw error
    }
  }
}

/** Rejects with SIGN_IN_FAILED for a taken port, and with the system's error if the IP family is missing. */
async function listenOn(server: Server, port: number, host: string): Promise<Server> {
  // No connection is authenticated; the newest one is the browser's.
  const unauthenticated = new UnauthenticatedConnections<Socket>(MAX_CONNECTIONS, (socket) =>
    socket.destroy(),
  )
  server.on('connection', (socket: Socket) => void unauthenticated.receive(socket))
  try {
    // After a failed connection the user can try again.
    await bindLoopback(server, port, () => undefined, host)
    return server
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    if (host === LOOPBACK_6 && !['EADDRINUSE', 'EACCES'].includes(code)) throw cause
    throw new AppError(
      'SIGN_IN_FAILED',
      code === 'EACCES'
        ? `The sign-in needs port ${String(port)}, which your account can’t open.`
        : `The sign-in needs port ${String(port)}, which another program uses (${code}).`,
      { hint: 'Close that program, or register another redirect URL. Then sign in again.', cause },
    )
  }
}

const FOREIGN: Page = {
  status: 400,
  title: 'Not accepted',
  text: 'This response belongs to another sign-in. Nothing was changed.',
}
const USED: Page = { status: 410, title: 'Already used', text: 'This link works only once.' }
const LATE = { title: 'Almost done', text: 'Return to Patchbay to finish.' }

function show(response: ServerResponse, { status, title, text }: Page): void {
  response.writeHead(status, PAGE_HEADERS).end(redirectPage(title, text))
}

/** Rejects a foreign `Host`: a web page may point its own name at this computer (DNS rebinding). */
function refusalOf(
  { headers, method, url }: IncomingMessage,
  configured: URL,
  port: number,
): Page | undefined {
  const names =
    configured.hostname === 'localhost'
      ? ['localhost', LOOPBACK, `[${LOOPBACK_6}]`]
      : [configured.hostname]
  const hosts = names.flatMap((name) => [`${name}:${String(port)}`, ...(port === 80 ? [name] : [])])
  if (!hosts.includes(headers.host?.toLowerCase() ?? ''))
    return {
      status: 403,
      title: 'Not found',
      text: `This address accepts requests for ${configured.hostname} only.`,
    }
  if ((url ?? '').split('?')[0] !== configured.pathname)
    return { status: 404, title: 'Not found', text: 'Return to Patchbay.' }
  if (method !== 'GET') return { status: 405, title: 'Not allowed', text: 'Return to Patchbay.' }
  return undefined
}

/** Compares in constant time; false unless exactly one value was sent. */
function isSame(received: readonly string[], wanted: string): boolean {
  const [one = '', ...others] = received
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(wanted)) && others.length === 0
}
