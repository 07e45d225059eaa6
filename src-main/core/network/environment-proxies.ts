import { isWithoutProxy } from './without-proxy'

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The names of this computer, whose servers are never asked through a proxy. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address has one of `LOOPBACK_NAMES`; other addresses of 127.0.0.0/8 go through the proxy. */
export function isUnproxied({ hostname }: URL): boolean {
  return LOOPBACK_NAMES.includes(hostname)
}

/** The proxies of an environment, empty where it names none for a scheme, and the hosts that are reached without. */
export type NamedProxies =
  | { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string }
  /** It names one that cannot be used: nothing is asked without it, as it may be there to keep things in. */
  | 'unusable'

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` in either case, and `ALL_PROXY` for a scheme that has none of its own;
 * undefined where they name no proxy. By `ALL_PROXY` it may be one of SOCKS 5.
 */
export function environmentProxies(environment: Environment): NamedProxies | undefined {
  const read = (name: string): string => environment[name] ?? environment[name.toUpperCase()] ?? ''
  const own = [withScheme(read('http_proxy')), withScheme(read('https_proxy'))] as const
  // Its `h` has the proxy look names up, as it always does here.
  const all = withScheme(read('all_proxy')).replace(/^socks5h:/iu, 'socks5:')
  const [httpProxy, httpsProxy] = [own[0] || all, own[1] || all]
  if (httpProxy === '' && httpsProxy === '') return undefined
  const isFallback = own.includes('') && all !== ''
  if (!own.every((one) => isUsable(one, WEB)) || (isFallback && !isUsable(all, WEB_OR_SOCKS)))
    return 'unusable'
  return { httpProxy, httpsProxy, noProxy: read('no_proxy') }
}

/** The proxy by which an address is reached; undefined where it is reached without. For https that of http does where it has none. */
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

/** Other programs take `10.0.0.1:8080` for a proxy that is spoken to by http. */
function withScheme(proxy: string): string {
  return proxy === '' || /^[a-z][\d+.a-z-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}
