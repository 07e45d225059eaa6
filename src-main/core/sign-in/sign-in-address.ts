import { isLoopback } from '../network/is-loopback'

/** Whether a page that a server names may be opened in the user's browser: https, or http on this computer. */
export function mayOpen(page: URL): boolean {
  if (page.username !== '' || page.password !== '') return false
  return page.protocol === 'https:' || (page.protocol === 'http:' && isLoopback(page))
}

/**
 * Whether an address that `server` names may be asked about a sign-in: https, what the server itself is reached by, and
 * on this computer only where the server is there too.
 */
export function mayAsk(address: URL, server: URL): boolean {
  if (address.username !== '' || address.password !== '') return false
  if (address.origin === server.origin) return true
  if (isLoopback(address)) return isLoopback(server) && /^https?:$/u.test(address.protocol)
  return address.protocol === 'https:'
}
