import { writtenOut } from '../../ui/text/visible-text'

/** A web address in the three parts it is shown in, so that its host stands out. */
export type PageAddress = {
  readonly before: string
  /** As the network knows it: letters beyond a to z are in punycode. */
  readonly host: string
  readonly after: string
  /** The host holds letters beyond a to z, which can look like others. */
  readonly isEncoded: boolean
}

/** Takes an address apart; undefined for what is no address of the web and is not opened. */
export function pageAddress(address: string): PageAddress | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, host, href } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const start = protocol.length + 2
  // The host is the end of the authority; what stands before it can look like one.
  const at = start + href.slice(start).search(/[/?#]|$/u) - host.length
  return {
    before: writtenOut(href.slice(0, at)),
    host: writtenOut(host),
    after: writtenOut(href.slice(at + host.length)),
    isEncoded: /(^|\.)xn--/u.test(host),
  }
}
