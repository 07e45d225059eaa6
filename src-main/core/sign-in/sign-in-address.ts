import { isLoopback } from '../network/is-loopback'

/** Whether the user's browser may open a page that a server names: https, or http on this computer. */
export function mayOpen(page: URL): boolean {
  if (page.username !== '' || page.password !== '') return false
  return page.protocol === 'https:' || (page.protocol === 'http:' && isLoopback(page))
}

/**
 * Whether a sign-in may send requests to an address that `server` names: the server's own origin, https, or this computer if the server
 * runs there too.
 */
export function mayAsk(address: URL, server: URL): boolean {
  if (address.username !== '' || address.password !== '') return false
  if (address.origin === server.origin) return true
  if (isLoopback(address)) return isLoopback(server) && /^https?:$/u.test(address.protocol)
  return address.protocol === 'https:'
}
