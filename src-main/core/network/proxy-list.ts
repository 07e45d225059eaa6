/** One way to an address: straight, by a proxy, or by one that cannot be spoken to. */
export type ProxyStep =
  | { readonly kind: 'direct' }
  /** `url` is `http:`, `https:` or `socks5:`. */
  | { readonly kind: 'proxy'; readonly url: string }
  | { readonly kind: 'unusable' }

/** SOCKS without a number is version 4, which knows no names. */
const PROXIES: ReadonlyMap<string, { readonly scheme: string; readonly port: number }> = new Map([
  ['PROXY', { scheme: 'http', port: 80 }],
  ['HTTP', { scheme: 'http', port: 80 }],
  ['HTTPS', { scheme: 'https', port: 443 }],
  ['SOCKS5', { scheme: 'socks5', port: 1080 }],
])

/**
 * Reads what a PAC script answers, such as `PROXY a.example:8080; DIRECT`: the ways to an address in the order in which they
 * are tried. Nothing at all is the straight way.
 */
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
