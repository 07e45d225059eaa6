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

/** Network variables of a child; undefined removes one. */
export type NetworkVariables = Readonly<Record<string, string | undefined>>

/** Certificate files of Linux distributions; uv reads them if told to trust the system. */
const LINUX_AUTHORITIES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** The proxy variables of a child. The desktop's proxy may differ by address; the one for the official registry is used for all. */
export async function proxyVariables(
  { proxy, withoutProxy }: NetworkRule,
  system: { readonly environment: Environment; readonly resolveProxy?: ResolveProxy | undefined },
): Promise<NetworkVariables> {
  if (proxy.kind === 'none') return webProxies(undefined)
  if (proxy.kind === 'named') return byProxy(proxy.address, withoutProxy)
  const named = environmentProxies(system.environment)
  if (named === 'unusable') return {}
  // The environment's own variables stay, except for the exclusions.
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

/** Fills in `HTTP_PROXY` and `HTTPS_PROXY` from `ALL_PROXY`, which npm, Node and many other programs don't read. */
function filledIn(
  environment: Environment,
  { httpProxy, httpsProxy }: Exclude<NamedProxies, 'unusable'>,
): NetworkVariables {
  const isNamed = (name: string): boolean =>
    [name, name.toLowerCase()].some((one) => (environment[one] ?? '') !== '')
  // These programs don't support SOCKS either.
  const isAll = (name: string, proxy: string): boolean => !isNamed(name) && /^https?:/u.test(proxy)
  return bothCases({
    ...(isAll('HTTP_PROXY', httpProxy) && { HTTP_PROXY: httpProxy }),
    ...(isAll('HTTPS_PROXY', httpsProxy) && { HTTPS_PROXY: httpsProxy }),
  })
}

/** The certificate variables of a child: `file` contains everything to trust; without one, the system is trusted too. */
export function certificateVariables(
  file: string | undefined,
  platform: NodeJS.Platform,
): NetworkVariables {
  if (file === undefined) {
    const hasAuthorities =
      platform !== 'linux' || LINUX_AUTHORITIES.some((path) => existsSync(path))
    return {
      NODE_USE_SYSTEM_CA: '1',
      // The second is the name before uv 0.11.
      ...(hasAuthorities && { UV_SYSTEM_CERTS: 'true', UV_NATIVE_TLS: 'true' }),
    }
  }
  return {
    NODE_EXTRA_CA_CERTS: file,
    // These variables replace a program's own list.
    SSL_CERT_FILE: file,
    REQUESTS_CA_BUNDLE: file,
    CURL_CA_BUNDLE: file,
    GIT_SSL_CAINFO: file,
  }
}

/** The rule without the proxy's user name and password. */
export function withoutPassword(rule: NetworkRule): NetworkRule {
  if (rule.proxy.kind !== 'named' || rule.proxy.address === '') return rule
  const { protocol, host } = new URL(rule.proxy.address)
  return { ...rule, proxy: { kind: 'named', address: `${protocol}//${host}` } }
}

/** A host that never exists (RFC 2606): while the user's proxy has no address, nothing bypasses it. */
const NOT_NAMED = 'http://no-proxy-is-named-in-the-settings.invalid:80'

/** Node's own `fetch` reads the variables only with a flag. */
function byProxy(named: string, withoutProxy: string): NetworkVariables {
  const address = named === '' ? NOT_NAMED : named
  // SOCKS has its own variable; programs reject it in the web variables.
  if (address.startsWith('socks5:'))
    return { ...bothCases({ ALL_PROXY: address }), ...noProxyVariables(withoutProxy) }
  return {
    ...webProxies(address),
    ...noProxyVariables(withoutProxy),
    NODE_USE_ENV_PROXY: '1',
  }
}

/** Sets or removes the web proxy; the other variables would bypass it. */
function webProxies(address: string | undefined): NetworkVariables {
  const others = { ALL_PROXY: undefined, FTP_PROXY: undefined }
  return bothCases({ HTTP_PROXY: address, HTTPS_PROXY: address, ...others })
}

/** Some programs read only one case, some the other. */
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
