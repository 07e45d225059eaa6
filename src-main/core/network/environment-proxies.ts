import { BlockList, isIP } from 'node:net'

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Names of this computer, which is never reached through a proxy. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address has one of `LOOPBACK_NAMES`; other addresses of 127.0.0.0/8 use the proxy. */
export function isUnproxied({ hostname }: URL): boolean {
  return LOOPBACK_NAMES.includes(hostname)
}

/** The environment's proxies, empty for a scheme without one, and the hosts that need none. */
export type NamedProxies =
  | { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string }
  /** A proxy is unusable: nothing is requested without it, because it may be there to restrict traffic. */
  | 'unusable'

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` in either case, and `ALL_PROXY` (also SOCKS 5) for schemes without their own; undefined
 * if none is set.
 */
export function environmentProxies(environment: Environment): NamedProxies | undefined {
  const read = (name: string): string => environment[name] ?? environment[name.toUpperCase()] ?? ''
  const own = [withScheme(read('http_proxy')), withScheme(read('https_proxy'))] as const
  // The `h` requests name resolution by the proxy, which is always done here.
  const all = withScheme(read('all_proxy')).replace(/^socks5h:/iu, 'socks5:')
  const [httpProxy, httpsProxy] = [own[0] || all, own[1] || all]
  if (httpProxy === '' && httpsProxy === '') return undefined
  const isFallback = own.includes('') && all !== ''
  if (!own.every((one) => isUsable(one, WEB)) || (isFallback && !isUsable(all, WEB_OR_SOCKS)))
    return 'unusable'
  return { httpProxy, httpsProxy, noProxy: read('no_proxy') }
}

/** The proxy for an address; undefined for none. The proxy for http also serves https without its own. */
export function proxyFor(
  address: URL,
  { httpProxy, httpsProxy, noProxy }: Exclude<NamedProxies, 'unusable'>,
): string | undefined {
  if (isUnproxied(address) || isWithoutProxy(address, noProxy)) return undefined
  const proxy = address.protocol === 'https:' && httpsProxy !== '' ? httpsProxy : httpProxy
  return proxy === '' ? undefined : proxy
}

const WEB = /^https?:$/
const WEB_OR_SOCKS = /^(?:https?|socks5):$/

function isUsable(proxy: string, protocols: RegExp): boolean {
  return proxy === '' || (URL.canParse(proxy) && protocols.test(new URL(proxy).protocol))
}

/** Other programs read `10.0.0.1:8080` as an http proxy. */
function withScheme(proxy: string): string {
  return proxy === '' || /^[a-z][\d+.a-z-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}

/** A route to an address: direct, through a proxy, or unusable. */
type ProxyStep =
  | { readonly kind: 'direct' }
  /** `url` is `http:`, `https:` or `socks5:`. */
  | { readonly kind: 'proxy'; readonly url: string }
  | { readonly kind: 'unusable' }

/** SOCKS without a number is version 4, which has no name resolution. */
const PROXIES: ReadonlyMap<string, { readonly scheme: string; readonly port: number }> = new Map([
  ['PROXY', { scheme: 'http', port: 80 }],
  ['HTTP', { scheme: 'http', port: 80 }],
  ['HTTPS', { scheme: 'https', port: 443 }],
  ['SOCKS5', { scheme: 'socks5', port: 1080 }],
])

/** Parses a PAC script's answer, such as `PROXY a.example:8080; DIRECT`, into routes in order. An empty answer means direct. */
export function readProxyList(answer: string): ProxyStep[] {
  const parts = answer.split(';').map((part) => part.trim())
  const named = parts.filter((part) => part !== '')
  return named.length === 0 ? [{ kind: 'direct' }] : named.map(readStep)
}

function readStep(part: string): ProxyStep {
  const [word = '', place = '', ...rest] = part.split(/\s+/)
  if (word.toUpperCase() === 'DIRECT') return { kind: 'direct' }
  const proxy = PROXIES.get(word.toUpperCase())
  const found = /^([^\s:/@?#\\[\]]+|\[[\d:a-f.]+\])(?::(\d{1,5}))?$/i.exec(place)
  const [, host, port = String(proxy?.port)] = found ?? []
  if (!proxy || host === undefined || rest.length > 0) return { kind: 'unusable' }
  const url = `${proxy.scheme}://${host}:${port}`
  return URL.canParse(url) ? { kind: 'proxy', url } : { kind: 'unusable' }
}

/**
 * Whether `NO_PROXY` includes an address: `example.com` with its subdomains, `.example.com` or `*.example.com` for subdomains only, IP
 * addresses, networks such as `10.0.0.0/8`, each with or without a port; `*` is everything.
 */
export function isWithoutProxy({ hostname, protocol, port }: URL, list: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/gu, '')
  const ownPort = port === '' ? (protocol === 'http:' ? '80' : '443') : port
  return entriesOf(list).some((entry) => {
    if (entry === '*') return true
    const listed = readEntry(entry)
    if (listed.port !== undefined && listed.port !== ownPort) return false
    return isIP(host) === 0 ? isName(host, listed.name) : isNumber(host, listed.name)
  })
}

/** The entries of a list, in lower case. */
function entriesOf(list: string): string[] {
  return list
    .toLowerCase()
    .split(/[\s,;]+/u)
    .filter((entry) => entry !== '')
}

/** An IPv6 address contains colons; with a port it is in brackets. */
function readEntry(entry: string): { readonly name: string; readonly port: string | undefined } {
  const inBrackets = /^\[([^\]]*)\](?::(\d{1,5}))?$/u.exec(entry)
  const withPort = inBrackets ?? /^([^:]+):(\d{1,5})$/u.exec(entry)
  return { name: withPort?.[1] ?? entry, port: withPort?.[2] }
}

function isName(host: string, listed: string): boolean {
  const below = /^\*?(\..+)$/u.exec(listed)?.[1]
  return below === undefined ? host === listed || host.endsWith(`.${listed}`) : host.endsWith(below)
}

function isNumber(host: string, listed: string): boolean {
  const [network = '', bits] = listed.split('/')
  const [family, ownFamily] = [isIP(network), isIP(host)]
  if (family === 0 || family !== ownFamily) return false
  const prefix = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits)
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(network, prefix, kind)
  return list.check(host, kind)
}

/** The user's network settings; a new object whenever they change. */
export type NetworkRule = {
  /** `named`: address with user name and password; empty if not entered yet. */
  readonly proxy:
    | { readonly kind: 'system' | 'none' }
    | { readonly kind: 'named'; readonly address: string }
  /** Hosts reached without a proxy, as in `NO_PROXY`. */
  readonly withoutProxy: string
  /** Trusted in addition to the system's certificates, each as PEM. */
  readonly certificates: readonly string[]
}

/** The system's network without additions. */
export const SYSTEM_RULE: NetworkRule = {
  proxy: { kind: 'system' },
  withoutProxy: '',
  certificates: [],
}
