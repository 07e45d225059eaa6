import type { IncomingHttpHeaders } from 'node:http'

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost']

/**
 * Why a request must be refused, or undefined. `Host` must name this very listener (a page elsewhere
 * that rebinds its name to 127.0.0.1 sends its own), and `Origin`, where a browser sends one, must be
 * this listener's; a socket must send it.
 */
export function refusalOf(
  headers: IncomingHttpHeaders,
  port: number,
  kind: 'request' | 'socket',
): string | undefined {
  const hosts = LOOPBACK_NAMES.map((name) => `${name}:${String(port)}`)
  if (headers.host === undefined || !hosts.includes(headers.host)) {
    return 'This address answers to 127.0.0.1 only.'
  }
  if (headers.origin === undefined) {
    return kind === 'socket' ? 'A socket must come from the page of this address.' : undefined
  }
  const isOwn = hosts.some((host) => headers.origin === `http://${host}`)
  return isOwn ? undefined : 'Pages of other addresses have no access.'
}
