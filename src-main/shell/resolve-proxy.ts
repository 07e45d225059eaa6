import { session } from 'electron'

/** The proxies that the desktop's settings, or a PAC file that they name, give for an address, as a PAC script answers. */
export function resolveProxy(address: string): Promise<string> {
  return session.defaultSession.resolveProxy(address)
}
