import { lookup } from 'node:dns'
import { once } from 'node:events'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Worker } from 'node:worker_threads'

import type { Dispatcher } from 'undici'

import { errorMessage } from '../../../src-shared/domain/error-message'
import { reportFailure } from '../lifecycle/background'
import { withTimeLimit } from '../lifecycle/time-limit'
import {
  type Environment,
  environmentProxies,
  isUnproxied,
  isWithoutProxy,
  type NetworkRule,
  proxyFor,
  readProxyList,
  SYSTEM_RULE,
} from './environment-proxies'
import { causesOf, isNeverReached } from './fetch-failure'
import { NO_LIMITS } from './patient-fetch'
import { publicLookup } from './public-address'

/** Asks the system for the proxies of an address; answers like a PAC script (`PROXY a:80; DIRECT`). */
export type ResolveProxy = (address: string) => Promise<string>

/** Sources of the system's network; each has a default. */
export type SystemNetworkOptions = {
  readonly environment?: Environment
  /** Used if the environment names no proxy. */
  readonly resolveProxy?: ResolveProxy | undefined
  /** The user's settings, read before each request; defaults to the system's network. Never rejects. */
  readonly rule?: (() => Promise<NetworkRule>) | undefined
  /** Resolves names. */
  readonly lookUp?: typeof lookup
  /** The system's certificates, as PEM. */
  readonly certificates?: () => Promise<readonly string[]>
}

type FetchKind = { readonly isPublicOnly?: boolean; readonly isPatient?: boolean }

/** The stores of macOS and Windows can take two seconds. */
const CERTIFICATES_MS = 15_000
/** Proxies whose connections are kept open. */
const MAX_PROXIES = 8

/**
 * The network as the user chose it, by default the system's: the environment's proxy (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`)
 * or else the desktop's, and the system's certificates besides Node's own, as companies with TLS inspection need. Trust applies to the
 * whole process and is read with the first request, because it takes a moment. Dispose it at the end.
 */
export class SystemNetwork implements AsyncDisposable {
  readonly #options: SystemNetworkOptions
  readonly #environment: Environment
  readonly #dispatchers = new Map<string, Dispatcher>()
  /** Replaced dispatchers with requests in flight. */
  readonly #closing = new Set<Dispatcher>()
  #rule: NetworkRule | undefined
  /** Trusted certificates without the rule, read once. */
  #trusted: Promise<readonly string[]> | undefined
  /** Whether the rule has changed or the computer slept: Node's own open connections may be stale. */
  #hasChanged = false

  constructor(options: SystemNetworkOptions = {}) {
    this.#options = options
    this.#environment = options.environment ?? process.env
  }

  /** Rejects as `globalThis.fetch` does, and with `UnusableProxy` if there is no other route. */
  readonly fetch: typeof globalThis.fetch = (input, init) => this.#fetch(input, init, {})

  /** Like `fetch`, without a client's time limits (300 s by default): the caller's signal decides (F10). */
  readonly patientFetch: typeof globalThis.fetch = (input, init) =>
    this.#fetch(input, init, { isPatient: true })

  /** Like `fetch`, but connects to public addresses only: the checked address is the one connected to. A proxy resolves names itself. */
  readonly publicFetch: typeof globalThis.fetch = (input, init) =>
    this.#fetch(input, init, { isPublicOnly: true })

  /** Proxies of an address in the order they are tried; undefined means direct. Rejects with `UnusableProxy`. */
  async proxiesTo(address: URL): Promise<(string | undefined)[]> {
    return this.#proxiesTo(address, await this.#follow())
  }

  /** Opens new connections for later requests: after a sleep the peer of a kept one may be gone silently. Requests in flight continue. */
  renew(): void {
    // Node keeps connections for its own `fetch` too.
    this.#hasChanged = true
    for (const [name, dispatcher] of this.#dispatchers) this.#retire(name, dispatcher)
  }

  /** Cuts requests in flight on its own dispatchers. */
  async [Symbol.asyncDispose](): Promise<void> {
    const dispatchers = [...this.#dispatchers.values(), ...this.#closing]
    this.#dispatchers.clear()
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()))
  }

  async #fetch(
    input: Parameters<typeof globalThis.fetch>[0],
    init: RequestInit | undefined,
    kind: FetchKind,
  ): Promise<Response> {
    const rule = await this.#follow()
    const address = new URL(input instanceof Request ? input.url : input)
    let failure: unknown
    for (const proxy of await this.#proxiesTo(address, rule)) {
      const dispatcher = await this.#dispatcherFor(proxy, kind)
      try {
        return await send(input, init, dispatcher)
      } catch (error) {
        if (!isUnconnected(error)) throw error
        failure = proxy === undefined ? error : unreachedProxy(proxy, error)
      }
    }
    throw failure
  }

  /** Applies the current rule: trusted certificates, and new connections after a change. */
  async #follow(): Promise<NetworkRule> {
    const trusted = await (this.#trusted ??= this.#readTrusted())
    const rule = (await this.#options.rule?.()) ?? SYSTEM_RULE
    if (rule === this.#rule) return rule
    this.#hasChanged ||= this.#rule !== undefined
    this.#rule = rule
    setDefaultCACertificates([...new Set([...trusted, ...rule.certificates])])
    for (const [name, dispatcher] of this.#dispatchers) this.#retire(name, dispatcher)
    return rule
  }

  /** Never rejects: without the system's list, Node's own applies. */
  async #readTrusted(): Promise<readonly string[]> {
    const { certificates = readSystemCertificates } = this.#options
    const own = getCACertificates('default')
    try {
      return [...own, ...(await withTimeLimit(CERTIFICATES_MS, certificates))]
    } catch (error) {
      reportFailure('the certificates of the system', error)
      return own
    }
  }

  async #proxiesTo(
    address: URL,
    { proxy, withoutProxy }: NetworkRule,
  ): Promise<(string | undefined)[]> {
    if (proxy.kind === 'none' || isUnproxied(address) || isWithoutProxy(address, withoutProxy))
      return [undefined]
    if (proxy.kind === 'named') {
      if (proxy.address === '') throw new UnusableProxy('The setting')
      return [proxy.address]
    }
    const named = environmentProxies(this.#environment)
    if (named === 'unusable') throw new UnusableProxy('HTTP_PROXY, HTTPS_PROXY or ALL_PROXY')
    if (named) return [proxyFor(address, named)]
    const answer = (await this.#options.resolveProxy?.(address.href)) ?? ''
    const steps = readProxyList(answer).filter((step) => step.kind !== 'unusable')
    if (steps.length === 0) throw new UnusableProxy(`The desktop (${answer})`)
    return steps.map((step) => (step.kind === 'proxy' ? step.url : undefined))
  }

  /** Undefined for Node's own `fetch`. */
  async #dispatcherFor(
    proxy: string | undefined,
    { isPublicOnly, isPatient }: FetchKind,
  ): Promise<Dispatcher | undefined> {
    if (proxy === undefined && !isPublicOnly && !isPatient && !this.#hasChanged) return undefined
    return this.#dispatcher(proxy ?? (isPublicOnly ? 'public' : 'direct'), async () => {
      const { Agent, ProxyAgent } = await import('undici')
      if (proxy !== undefined) return new ProxyAgent({ uri: proxy, ...NO_LIMITS })
      if (!isPublicOnly) return new Agent(NO_LIMITS)
      return new Agent({ connect: { lookup: publicLookup(this.#options.lookUp ?? lookup) } })
    })
  }

  async #dispatcher(name: string, make: () => Promise<Dispatcher>): Promise<Dispatcher> {
    const made = this.#dispatchers.get(name) ?? (await make())
    // Another request may have created it meanwhile.
    const dispatcher = this.#dispatchers.get(name) ?? made
    this.#dispatchers.delete(name)
    this.#dispatchers.set(name, dispatcher)
    const [oldest] = this.#dispatchers
    if (oldest && this.#dispatchers.size > MAX_PROXIES) this.#retire(...oldest)
    return dispatcher
  }

  /** Ends once its requests in flight have ended, which report to their callers. */
  #retire(name: string, dispatcher: Dispatcher): void {
    this.#dispatchers.delete(name)
    this.#closing.add(dispatcher)
    const forget = (): void => void this.#closing.delete(dispatcher)
    void dispatcher.close().then(forget, forget)
  }
}

/** The configured proxy is invalid: nothing is requested without it, because it may be there to restrict traffic. */
class UnusableProxy extends TypeError {
  override readonly name = 'UnusableProxy'
  readonly code = 'PROXY_UNUSABLE'

  constructor(place: string) {
    super(`${place} contains no valid proxy.`)
  }
}

/** A proxy didn't answer: nothing was sent, and the address itself may be reachable. */
class UnreachedProxy extends Error {
  override readonly name = 'UnreachedProxy'
  readonly code = 'PROXY_UNREACHED'
}

/** Passes the system's error on as text, because otherwise it would be taken for the address's own. */
function unreachedProxy(proxy: string, error: unknown): TypeError {
  const [first = error] = causesOf(error)
  const reason = errorMessage(first)
  const cause = new UnreachedProxy(`The proxy ${new URL(proxy).host} did not respond: ${reason}`)
  return new TypeError('fetch failed', { cause })
}

async function send(
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit | undefined,
  dispatcher: Dispatcher | undefined,
): Promise<Response> {
  if (dispatcher === undefined) return globalThis.fetch(input, init)
  const { fetch } = await import('undici')
  // The package's classes differ from the global ones but work alike.
  const fetchWith = fetch as unknown as (address: string | URL, init: object) => Promise<Response>
  if (!(input instanceof Request)) return fetchWith(input, { ...init, dispatcher })
  const { method, headers, body, signal, redirect } = input
  const request = { method, headers, signal, redirect, ...(body && { body, duplex: 'half' }) }
  return fetchWith(input.url, { ...request, ...init, dispatcher })
}

/** Whether nothing was sent, so another route may be tried. */
function isUnconnected(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : []
  return isNeverReached(first)
}

const CODE = `
const { parentPort } = require('node:worker_threads')
const { getCACertificates } = require('node:tls')
parentPort.postMessage(getCACertificates('system'))`

/** Reads the system's certificates as PEM. A worker does it, because the stores of macOS and Windows can block for two seconds. */
export async function readSystemCertificates(): Promise<readonly string[]> {
  const worker = new Worker(CODE, { eval: true })
  try {
    // Rejects with the worker's error.
    const [certificates] = (await once(worker, 'message')) as [readonly string[]]
    return certificates
  } finally {
    await worker.terminate()
  }
}
