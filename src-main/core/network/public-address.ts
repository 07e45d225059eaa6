import type { lookup as lookupAll } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, type LookupFunction } from 'node:net'

/** Four numbers in a row, as in `10-0-0-1.dns.example`: such names resolve to any address of this network. */
const NUMBER_IN_NAME = /(?:^|[.-])\d{1,3}(?:[.-]\d{1,3}){3}(?:[.-]|$)/

/** Allows https at a public name: a registry's text must not make this computer send requests within its own network. */
export function isPublicAddress({ protocol, hostname, username, password }: URL): boolean {
  if (protocol !== 'https:' || username !== '' || password !== '') return false
  const name = hostname.replace(/\.+$/, '')
  if (name.startsWith('[') || !name.includes('.') || NUMBER_IN_NAME.test(name)) return false
  return !/\.(?:local|localhost|internal|intranet|lan|home|corp|arpa|test|invalid)$/i.test(name)
}

/**
 * Whether an address is public and its name resolves outside this computer and its network. An unknown name passes: a proxy may know it,
 * and without one nothing is reached.
 */
export async function leadsToPublic(
  address: URL,
  lookUp: (name: string) => Promise<readonly string[]> = async (name) =>
    (await lookup(name, { all: true })).map((found) => found.address),
): Promise<boolean> {
  if (!isPublicAddress(address)) return false
  const numbers = await lookUp(address.hostname).catch(() => [])
  return numbers.every(isPublicNumber)
}

/**
 * Resolves names for connections; fails for this computer and its network. The checked address is the one connected to, which prevents DNS
 * rebinding.
 */
export function publicLookup(lookUp: typeof lookupAll): LookupFunction {
  return (name, options, callback) => {
    lookUp(name, { ...options, all: true }, (error, numbers) => {
      if (error) {
        callback(error, '', 0)
        return
      }
      const [first] = numbers
      if (!first || !numbers.every(({ address }) => isPublicNumber(address))) {
        callback(new PrivateAddress(name), '', 0)
      } else if (options.all) callback(null, numbers)
      else callback(null, first.address, first.family)
    })
  }
}

/** A foreign name resolves to this computer or its network. */
class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
  readonly code = 'ADDRESS_PRIVATE'

  constructor(host: string) {
    super(`${host} is an address on this computer or its network.`)
  }
}

/** Whether an IP address is outside this computer, private networks and links (RFC 6890). */
export function isPublicNumber(address: string): boolean {
  return !OWN_NETWORKS.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}

/** Without 198.18.0.0/15, which some tunnels use for all public names. */
const OWN_NETWORKS = blockListOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/3',
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
])

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
