import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import * as z from 'zod'

import { jsonIn } from '../../../src-shared/domain/attempt'
import type { ViewDomains } from '../../../src-shared/domain/installation/view'
import { keepNewest } from '../lifecycle/keep-newest'
import {
  type AccessDecision,
  GuardedListener,
  type GuardedSite,
} from '../listener/guarded-listener'
import type { Timekeeper } from '../ports'

const TICKET_MS = 60_000
const MAX_UNAUTHENTICATED = 64
/** Maximum number of views whose reports are accepted, and maximum bytes of a report. */
const MAX_REPORTED = 50
const MAX_REPORT_LENGTH = 16 * 1024
/** Maximum messages of a view; one that sends more is closed, so that Patchbay's page stays responsive. */
const MAX_PER_SECOND = 1_000
const PATIENCE = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
}
/** Host name of a frame or view; each has its own, so that no view can access another or its surrounding frame. */
const HOST = /^[fv][\da-f]{16}\.localhost$/u

type Ticket = {
  readonly host: string
  readonly policy: string
  readonly body: Buffer
  readonly expiry: Disposable
}

/** Receives the browser's reports of requests that a view's policy blocked. */
type ReportTarget = { readonly host: string; readonly onBlocked: (address: string) => void }

/** The used part of a report (CSP 3, 5.3). */
const Report = z.object({ 'csp-report': z.object({ 'blocked-uri': z.string() }) })

/** Serves views on 127.0.0.1, each document once, from unguessable host names. */
export class ViewListener {
  /** By path. */
  readonly #tickets = new Map<string, Ticket>()
  /** By path. */
  readonly #reports = new Map<string, ReportTarget>()
  #listening: Promise<GuardedListener<Ticket | ReportTarget>> | undefined

  constructor(private readonly time: Pick<Timekeeper, 'after'>) {}

  /**
   * Returns the address of a frame that shows the page and forwards messages. `onBlocked` gets the address of each request that the page's
   * policy blocked. Rejects with the system's error if no port is available.
   */
  async issue(
    html: string,
    domains: ViewDomains,
    onBlocked: (address: string) => void = () => undefined,
  ): Promise<string> {
    const { port } = await (this.#listening ??= this.#open())
    const [frame, view] = [hostOf('f', port), hostOf('v', port)]
    const report = `/report/${randomBytes(16).toString('hex')}`
    keepNewest(this.#reports, report, { host: view, onBlocked }, MAX_REPORTED)
    const policy = `${viewPolicy(domains)}; report-uri ${report}`
    const viewPath = this.#ticket('view', view, policy, html)
    const nonce = randomBytes(16).toString('base64')
    const page = framePage(`http://${view}`, viewPath, nonce)
    const path = this.#ticket('frame', frame, framePolicy(`http://${view}`, nonce), page)
    return `http://${frame}${path}`
  }

  /** Whether an address belongs to a frame or a view that is still to be loaded. */
  isIssued(address: string): boolean {
    const url = URL.parse(address)
    const ticket = this.#tickets.get(url?.pathname ?? '')
    return ticket !== undefined && address === `http://${ticket.host}${url?.pathname}`
  }

  /** Frees the port and invalidates tickets. */
  async close(): Promise<void> {
    for (const { expiry } of this.#tickets.values()) expiry[Symbol.dispose]()
    this.#tickets.clear()
    this.#reports.clear()
    const listener = await this.#listening?.catch(() => undefined)
    await listener?.close()
  }

  #ticket(kind: 'frame' | 'view', host: string, policy: string, body: string): string {
    const path = `/${kind}/${randomBytes(16).toString('hex')}`
    const expiry = this.time.after(TICKET_MS, () => this.#tickets.delete(path))
    this.#tickets.set(path, { host, policy, body: Buffer.from(body), expiry })
    return path
  }

  async #open(): Promise<GuardedListener<Ticket | ReportTarget>> {
    const site: GuardedSite<Ticket | ReportTarget> = {
      hosts: {
        isOwn: (host, port) =>
          host.endsWith(`:${port}`) && HOST.test(host.slice(0, -`:${port}`.length)),
        refusal: () => 'This address serves views of Patchbay alone.',
      },
      decideAccess: (request) => this.#decideAccess(request),
      serve: (who, request, response) =>
        'body' in who ? serve(who, response) : receive(who, request, response),
      onFault: (error) => process.stderr.write(`patchbay: views: ${String(error)}\n`),
      form: (text) => ({ type: 'text/plain', text }),
    }
    const listening = GuardedListener.open(site, {
      ...{ port: 0, patience: PATIENCE, maxUnauthenticated: MAX_UNAUTHENTICATED },
    })
    // The next view tries again.
    listening.catch(() => (this.#listening = undefined))
    return listening
  }

  #decideAccess({
    method,
    url = '',
    headers,
  }: IncomingMessage): AccessDecision<Ticket | ReportTarget> {
    const report = method === 'POST' ? this.#reports.get(url) : undefined
    if (report?.host === headers.host && report) return { who: report }
    if (method !== 'GET')
      return { refusal: { status: 405, message: 'Use GET.', headers: { allow: 'GET' } } }
    // A view is never a top-level page, which nothing would sandbox.
    if ((headers['sec-fetch-dest'] ?? 'iframe') !== 'iframe')
      return { refusal: { status: 403, message: 'A view is shown in a frame alone.' } }
    const ticket = this.#tickets.get(url)
    if (!ticket || ticket.host !== headers.host)
      return { refusal: { status: 404, message: 'This view was shown already, or is too old.' } }
    this.#tickets.delete(url)
    ticket.expiry[Symbol.dispose]()
    return { who: ticket }
  }
}

/** Returns an unguessable host name: `f` for frames, `v` for views. */
function hostOf(kind: 'f' | 'v', port: number): string {
  return `${kind}${randomBytes(8).toString('hex')}.localhost:${port}`
}

function serve({ policy, body }: Ticket, response: ServerResponse): Promise<undefined> {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  response.end(body)
  return Promise.resolve(undefined)
}

/** Handles a report; ignores oversized and invalid ones. */
async function receive(
  { onBlocked }: ReportTarget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.byteLength
    if (bytes <= MAX_REPORT_LENGTH) parts.push(part)
  }
  response.writeHead(204).end()
  const { data } = Report.safeParse(jsonIn(Buffer.concat(parts).toString()))
  const blocked = bytes <= MAX_REPORT_LENGTH && data?.['csp-report']['blocked-uri']
  if (blocked) onBlocked(blocked)
}

function framePolicy(view: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // Also keeps the view from navigating its own frame elsewhere.
    `frame-src ${view}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Returns the page between Patchbay's and the view's: it forwards messages, and its policy restricts the view's frame. */
function framePage(origin: string, path: string, nonce: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>View</title>
<style nonce="${nonce}">html, body, iframe { border: 0; display: block; height: 100%; margin: 0; width: 100% }</style>
<iframe title="View" sandbox="allow-scripts allow-same-origin allow-forms"></iframe>
<script nonce="${nonce}">
  const view = document.querySelector('iframe')
  const report = (patchbay) => parent.postMessage({ patchbay }, '*')
  let sent = 0
  setInterval(() => (sent = 0), 1000)
  addEventListener('message', ({ source, origin, data }) => {
    if (source === parent) view.contentWindow.postMessage(data, '${origin}')
    else if (source === view.contentWindow && origin === '${origin}') {
      sent += 1
      if (sent <= ${MAX_PER_SECOND}) parent.postMessage(data, '*')
      else if (sent === ${MAX_PER_SECOND + 1}) report('flooded')
    }
  })
  addEventListener('securitypolicyviolation', () => report('left'))
  view.src = '${origin}${path}'
  report('ready')
</script>
`
}

const MAX_DOMAINS = 100
const MAX_DOMAIN_LENGTH = 300
/** Separators and quotes of a policy. */
const UNSAFE = /[\s;,'"\\<>]/u

const Texts = z.array(z.unknown()).catch([])
/** Domains that a view declares (MCP Apps 2026-01-26, `_meta.ui.csp`), unvalidated. */
const Declared = z.object({
  connectDomains: Texts,
  resourceDomains: Texts,
  frameDomains: Texts,
})

/** The allowed domains that a view declares; `ignored` are entries that a policy can't express. */
export type DeclaredDomains = { readonly domains: ViewDomains; readonly ignored: readonly string[] }

/** Reads the addresses that a view declares: only https and wss, optionally with `*.` for all subdomains. */
export function readDomains(csp: unknown): DeclaredDomains {
  const { data } = Declared.safeParse(csp ?? {})
  const ignored: string[] = []
  const read = (entries: readonly unknown[] = []): string[] => {
    const sources = entries.map((entry, place) => {
      const isRead = typeof entry === 'string' && place < MAX_DOMAINS
      const source = isRead ? sourceOf(entry) : undefined
      if (source === undefined && ignored.length < MAX_DOMAINS) ignored.push(textOf(entry))
      return source
    })
    return [...new Set(sources.filter((one) => one !== undefined))].toSorted()
  }
  const domains = {
    connect: read(data?.connectDomains),
    resource: read(data?.resourceDomains),
    frame: read(data?.frameDomains),
  }
  return { domains, ignored }
}

function textOf(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : JSON.stringify(entry)
  return text.slice(0, MAX_DOMAIN_LENGTH)
}

/** Returns an entry as a policy source (CSP 3, 2.3.1); undefined if it isn't an address of another host. */
function sourceOf(entry: string): string | undefined {
  if (entry.length > MAX_DOMAIN_LENGTH || UNSAFE.test(entry)) return undefined
  const [, scheme = 'https', star = '', rest = ''] =
    /^(?:(https|wss):\/\/)?(\*\.)?([^*]+)$/u.exec(entry) ?? []
  const url = URL.parse(`${scheme}://${rest}`)
  if (!url) return undefined
  if (url.username + url.password + url.search + url.hash !== '') return undefined
  // An unknown scheme would count as a host.
  if (url.pathname.includes('//')) return undefined
  // Excludes names of this computer, which all its listeners share, and IP addresses.
  if (!/\.(?!localhost$)[a-z][a-z\d-]*$/u.test(url.hostname)) return undefined
  return `${scheme}://${star}${url.host}${url.pathname === '/' ? '' : url.pathname}`
}

/**
 * Returns the policy of a view's document: its own inline code and its declared domains only. Evaluated code is allowed, because drawing
 * libraries need it and it gains nothing in a separate origin.
 */
export function viewPolicy({ connect, resource, frame }: ViewDomains): string {
  const from = (...sources: readonly string[]): string => [...sources, ...resource].join(' ')
  return [
    "default-src 'none'",
    `script-src ${from("'unsafe-inline'", "'unsafe-eval'", 'blob:')}`,
    `style-src ${from("'unsafe-inline'")}`,
    `img-src ${from('data:', 'blob:')}`,
    `font-src ${from('data:')}`,
    `media-src ${from('data:', 'blob:')}`,
    'worker-src blob:',
    `connect-src ${connect.length > 0 ? connect.join(' ') : "'none'"}`,
    `frame-src ${frame.length > 0 ? frame.join(' ') : "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
