import { existsSync } from 'node:fs'

import { OFFICIAL_REGISTRY } from '../../../src-shared/domain/catalog/official-registry'
import type { NetworkRule } from '../network/environment-proxies'
import {
  type Environment,
  environmentProxies,
  LOOPBACK_NAMES,
  type NamedProxies,
} from '../network/environment-proxies'
import { readProxyList } from '../network/environment-proxies'
import type { ResolveProxy } from '../network/system-network'

/** Variables by which a child reaches the network; one that is undefined is taken away. */
export type NetworkVariables = Readonly<Record<string, string | undefined>>

/** Where Linux distributions keep what they trust as one file: uv looks there when it has to trust the system. */
const LINUX_AUTHORITIES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * The variables that name the proxy to a child. Of the desktop, which answers for each address, it is the one by which the
 * official registry is reached: a program has a variable for all.
 */
export async function proxyVariables(
  { proxy, withoutProxy }: NetworkRule,
  system: { readonly environment: Environment; readonly resolveProxy?: ResolveProxy | undefined },
): Promise<NetworkVariables> {
  if (proxy.kind === 'none') return webProxies(undefined)
  if (proxy.kind === 'named') return byProxy(proxy.address, withoutProxy)
  const named = environmentProxies(system.environment)
  if (named === 'unusable') return {}
  // Its own variables are passed on as they are, except what is not to go by them.
  if (named) {
    return {
      ...filledIn(system.environment, named),
      ...noProxyVariables(`${named.noProxy},${withoutProxy}`),
      NODE_USE_ENV_PROXY: '1',
    }
  }
  const address = await ofDesktop(system.resolveProxy)
  return address === undefined ? {} : byProxy(address, withoutProxy)
}

/** Many programs, npm and Node among them, do not read `ALL_PROXY`: for a scheme that has none of its own it is named once more. */
function filledIn(
  environment: Environment,
  { httpProxy, httpsProxy }: Exclude<NamedProxies, 'unusable'>,
): NetworkVariables {
  const isNamed = (name: string): boolean =>
    [name, name.toLowerCase()].some((one) => (environment[one] ?? '') !== '')
  // Nor do they know SOCKS.
  const isAll = (name: string, proxy: string): boolean => !isNamed(name) && /^https?:/u.test(proxy)
  return bothCases({
    ...(isAll('HTTP_PROXY', httpProxy) && { HTTP_PROXY: httpProxy }),
    ...(isAll('HTTPS_PROXY', httpsProxy) && { HTTPS_PROXY: httpsProxy }),
  })
}

/** The variables that name what a child is to trust: `file` holds all of it; without one, that the system is to be asked too. */
export function certificateVariables(
  file: string | undefined,
  platform: NodeJS.Platform,
): NetworkVariables {
  if (file === undefined) {
    const hasAuthorities =
      platform !== 'linux' || LINUX_AUTHORITIES.some((path) => existsSync(path))
    return {
      NODE_USE_SYSTEM_CA: '1',
      // The second is how it was called before uv 0.11.
      ...(hasAuthorities && { UV_SYSTEM_CERTS: 'true', UV_NATIVE_TLS: 'true' }),
    }
  }
  return {
    NODE_EXTRA_CA_CERTS: file,
    // These put it in the place of what they would trust else.
    SSL_CERT_FILE: file,
    REQUESTS_CA_BUNDLE: file,
    CURL_CA_BUNDLE: file,
    GIT_SSL_CAINFO: file,
  }
}

/** The address without a name and a password. */
export function withoutPassword(rule: NetworkRule): NetworkRule {
  if (rule.proxy.kind !== 'named' || rule.proxy.address === '') return rule
  const { protocol, host } = new URL(rule.proxy.address)
  return { ...rule, proxy: { kind: 'named', address: `${protocol}//${host}` } }
}

/** A host that never is (RFC 2606): where the user wants a proxy and named none yet, nothing goes past it. */
const NOT_NAMED = 'http://no-proxy-is-named-in-the-settings.invalid:80'

/** Node's own `fetch` looks at the variables only when a flag says so. */
function byProxy(named: string, withoutProxy: string): NetworkVariables {
  const address = named === '' ? NOT_NAMED : named
  // It has a variable of its own; one of the web that names it would be rejected.
  if (address.startsWith('socks5:'))
    return { ...bothCases({ ALL_PROXY: address }), ...noProxyVariables(withoutProxy) }
  return {
    ...webProxies(address),
    ...noProxyVariables(withoutProxy),
    NODE_USE_ENV_PROXY: '1',
  }
}

/** One proxy for the web, or none; the others would lead past it. */
function webProxies(address: string | undefined): NetworkVariables {
  const others = { ALL_PROXY: undefined, FTP_PROXY: undefined }
  return bothCases({ HTTP_PROXY: address, HTTPS_PROXY: address, ...others })
}

/** Some programs read the one spelling alone, some the other. */
function bothCases(variables: NetworkVariables): NetworkVariables {
  const lower = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value])
  return { ...variables, ...(Object.fromEntries(lower) as NetworkVariables) }
}

function noProxyVariables(list: string): NetworkVariables {
  const entries = list.split(/[\s,;]+/u).filter((entry) => entry !== '')
  const all = [...new Set([...entries, ...LOOPBACK_NAMES, '::1'])].join(',')
  return bothCases({ NO_PROXY: all })
}

async function ofDesktop(resolveProxy: ResolveProxy | undefined): Promise<string | undefined> {
  const answer = (await resolveProxy?.(OFFICIAL_REGISTRY).catch(() => '')) ?? ''
  const [first] = readProxyList(answer).filter(({ kind }) => kind !== 'unusable')
  return first?.kind === 'proxy' ? first.url : undefined
}
