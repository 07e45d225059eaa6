import * as z from 'zod'

import type { ViewDomains } from '../../../src-shared/domain/installation/view'

const MAX_DOMAINS = 100
const LONGEST_DOMAIN = 300
/** What separates sources and directives in a policy, and what it quotes. */
const UNSAFE = /[\s;,'"\\<>]/u

const Texts = z.array(z.unknown()).catch([])
/** What a view declares (MCP Apps 2026-01-26, `_meta.ui.csp`), as it comes. */
const Declared = z.object({
  connectDomains: Texts,
  resourceDomains: Texts,
  frameDomains: Texts,
})

/** What a view declares and can have; `ignored` are entries that no policy can hold. */
export type DeclaredDomains = { readonly domains: ViewDomains; readonly ignored: readonly string[] }

/** Reads the addresses that a view says it loads from: https and wss alone, also with `*.` for all below a host. */
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
  return text.slice(0, LONGEST_DOMAIN)
}

/** An entry as a source of a policy (CSP 3, 2.3.1); undefined for what is no address of another host. */
function sourceOf(entry: string): string | undefined {
  if (entry.length > LONGEST_DOMAIN || UNSAFE.test(entry)) return undefined
  const [, scheme = 'https', star = '', rest = ''] =
    /^(?:(https|wss):\/\/)?(\*\.)?([^*]+)$/u.exec(entry) ?? []
  const url = URL.parse(`${scheme}://${rest}`)
  if (!url) return undefined
  if (url.username + url.password + url.search + url.hash !== '') return undefined
  // An unknown scheme would be taken for a host.
  if (url.pathname.includes('//')) return undefined
  // No name of this computer, which all listeners on it share, and no IP address.
  if (!/\.(?!localhost$)[a-z][a-z\d-]*$/u.test(url.hostname)) return undefined
  return `${scheme}://${star}${url.host}${url.pathname === '/' ? '' : url.pathname}`
}

/**
 * The policy of a view's document: its own inline code and what it declared, nothing else. Code from strings is allowed,
 * as drawing libraries need it and it gains nothing in an origin of its own.
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
