import { BlockList, isIP } from 'node:net'

/**
 * Whether an address is among those that are reached without a proxy, as `NO_PROXY` lists them: `example.com` and all below
 * it, `.example.com` and `*.example.com` for those below, numbers, networks such as `10.0.0.0/8`, each with a port or
 * without; `*` is everything.
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

/** A number of IP 6 has colons of its own; one with a port stands in brackets. */
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
