import { session } from 'electron'

/** The desktop's proxies for an address, from its settings or PAC file, in the form of a PAC script's answer. */
export function resolveProxy(address: string): Promise<string> {
  return session.defaultSession.resolveProxy(address)
}
