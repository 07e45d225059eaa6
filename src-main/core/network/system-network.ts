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

/** Asks the system by which proxies an address is to be reached; answers as a PAC script does (`PROXY a:80; DIRECT`). */
export type ResolveProxy = (address: string) => Promise<string>

/** What the network of the system is known by; each has a default. */
export type SystemNetworkOptions = {
  readonly environment?: Environment
  /** Asked where the environment names no proxy; without it there is none. */
  readonly resolveProxy?: ResolveProxy | undefined
  /** What the user chose, asked before each request; what the system has where it is missing. Never rejects. */
  readonly rule?: (() => Promise<NetworkRule>) | undefined
  /** How names become numbers. */
  readonly lookUp?: typeof lookup
  /** What the system trusts, as PEM. */
  readonly certificates?: () => Promise<readonly string[]>
}

type Asking = { readonly isPublicOnly?: boolean; readonly isPatient?: boolean }

/** The stores of macOS and Windows can take two seconds. */
const CERTIFICATES_MS = 15_000
/** Proxies whose connections are kept open at the same time. */
const MOST_PROXIES = 8

/**
 * The network as the user chose it, as a rule as the system has it: by the proxy of the environment (`HTTPS_PROXY`,
 * `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`) or else by those that the desktop names, and with what the system trusts besides Node's own
 * list, as in a company that looks into its traffic. What is trusted holds for the whole process and is read when something is
 * first asked: it takes a moment. To be disposed by its owner.
 */
export class SystemNetwork implements AsyncDisposable {
  readonly #options: SystemNetworkOptions
  readonly #environment: Environment
  readonly #ways = new Map<string, Dispatcher>()
  /** What goes on by ways of before. */
  readonly #leaving = new Set<Dispatcher>()
  #rule: NetworkRule | undefined
  /** What is trusted without the rule, read once. */
  #trusted: Promise<readonly string[]> | undefined
  /** Whether the rule was another before, or the computer slept: what Node itself keeps open may be of no use. */
  #hasChanged = false

  constructor(options: SystemNetworkOptions = {}) {
    this.#options = options
    this.#environment = options.environment ?? process.env
  }

  /** Rejects as `globalThis.fetch` does, and with `UnusableProxy` where there is no other way than by such a one. */
  readonly fetch: typeof globalThis.fetch = (input, init) => this.#ask(input, init, {})

  /** As `fetch`, without the time limits of a client (300 s by default): the caller gives up by the signal (F10). */
  readonly patientFetch: typeof globalThis.fetch = (input, init) =>
    this.#ask(input, init, { isPatient: true })

  /**
   * As `fetch`, but connects to public addresses alone: the number that is judged is the one that is connected to. A
   * proxy resolves names itself.
   */
  readonly publicFetch: typeof globalThis.fetch = (input, init) =>
    this.#ask(input, init, { isPublicOnly: true })

  /** The proxies by which an address is reached, in the order in which they are tried; undefined stands for the straight way. Rejects with `UnusableProxy`. */
  async proxiesTo(address: URL): Promise<(string | undefined)[]> {
    return this.#proxiesTo(address, await this.#follow())
  }

  /** From now on requests get connections of their own time: after a sleep the far side of one that was kept may be gone, and nobody would say so. What is under way goes on. */
  renew(): void {
    // Node keeps connections for its own `fetch` too.
    this.#hasChanged = true
    for (const [name, way] of this.#ways) this.#leave(name, way)
  }

  /** Cuts what is under way by dispatchers of its own. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ways = [...this.#ways.values(), ...this.#leaving]
    this.#ways.clear()
    await Promise.all(ways.map((way) => way.destroy()))
  }

  async #ask(
    input: Parameters<typeof globalThis.fetch>[0],
    init: RequestInit | undefined,
    kind: Asking,
  ): Promise<Response> {
    const rule = await this.#follow()
    const address = new URL(input instanceof Request ? input.url : input)
    let failure: unknown
    for (const proxy of await this.#proxiesTo(address, rule)) {
      const way = await this.#wayBy(proxy, kind)
      try {
        return await send(input, init, way)
      } catch (error) {
        if (!isUnconnected(error)) throw error
        failure = proxy === undefined ? error : unreachedProxy(proxy, error)
      }
    }
    throw failure
  }

  /** The rule that holds now, with all that it changes: what is trusted, and connections that others were made for. */
  async #follow(): Promise<NetworkRule> {
    const trusted = await (this.#trusted ??= this.#readTrusted())
    const rule = (await this.#options.rule?.()) ?? SYSTEM_RULE
    if (rule === this.#rule) return rule
    this.#hasChanged ||= this.#rule !== undefined
    this.#rule = rule
    setDefaultCACertificates([...new Set([...trusted, ...rule.certificates])])
    for (const [name, way] of this.#ways) this.#leave(name, way)
    return rule
  }

  /** Never rejects: without the system's list, Node's own still holds. */
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

  /** Undefined for the way of Node's own `fetch`. */
  async #wayBy(
    proxy: string | undefined,
    { isPublicOnly, isPatient }: Asking,
  ): Promise<Dispatcher | undefined> {
    if (proxy === undefined && !isPublicOnly && !isPatient && !this.#hasChanged) return undefined
    return this.#way(proxy ?? (isPublicOnly ? 'public' : 'direct'), async () => {
      const { Agent, ProxyAgent } = await import('undici')
      if (proxy !== undefined) return new ProxyAgent({ uri: proxy, ...NO_LIMITS })
      if (!isPublicOnly) return new Agent(NO_LIMITS)
      return new Agent({ connect: { lookup: publicLookup(this.#options.lookUp ?? lookup) } })
    })
  }

  async #way(name: string, make: () => Promise<Dispatcher>): Promise<Dispatcher> {
    const made = this.#ways.get(name) ?? (await make())
    // Another request may have made it meanwhile.
    const way = this.#ways.get(name) ?? made
    this.#ways.delete(name)
    this.#ways.set(name, way)
    const [oldest] = this.#ways
    if (oldest && this.#ways.size > MOST_PROXIES) this.#leave(...oldest)
    return way
  }

  /** It ends once what is under way by it has come to its end, which those who asked learn. */
  #leave(name: string, way: Dispatcher): void {
    this.#ways.delete(name)
    this.#leaving.add(way)
    const forget = (): void => void this.#leaving.delete(way)
    void way.close().then(forget, forget)
  }
}

/** A proxy is named that is none: nothing is asked without it, as it may be there to keep things in. */
class UnusableProxy extends TypeError {
  override readonly name = 'UnusableProxy'
  readonly code = 'PROXY_UNUSABLE'

  constructor(place: string) {
    super(`${place} contains no valid proxy.`)
  }
}

/** A proxy that did not answer: nothing was sent, and the address itself may well be there. */
class UnreachedProxy extends Error {
  override readonly name = 'UnreachedProxy'
  readonly code = 'PROXY_UNREACHED'
}

/** The system's own error is passed on as text: it would be taken for one of the address. */
function unreachedProxy(proxy: string, error: unknown): TypeError {
  const [said = error] = causesOf(error)
  const reason = errorMessage(said)
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
  // Its classes are those of the package, though they do what the global ones do.
  const ask = fetch as unknown as (address: string | URL, init: object) => Promise<Response>
  if (!(input instanceof Request)) return ask(input, { ...init, dispatcher })
  const { method, headers, body, signal, redirect } = input
  const asked = { method, headers, signal, redirect, ...(body && { body, duplex: 'half' }) }
  return ask(input.url, { ...asked, ...init, dispatcher })
}

/** Whether nothing was sent, so that another way may be tried. */
function isUnconnected(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : []
  return isNeverReached(first)
}

const CODE = `
const { parentPort } = require('node:worker_threads')
const { getCACertificates } = require('node:tls')
parentPort.postMessage(getCACertificates('system'))`

/**
 * The certificates that the system trusts, as PEM. The stores of macOS and Windows can take two seconds, for which a window of
 * Electron would stand still on the main thread: a worker reads them.
 */
export async function readSystemCertificates(): Promise<readonly string[]> {
  const worker = new Worker(CODE, { eval: true })
  try {
    // Rejects with the error of a worker that fails.
    const [certificates] = (await once(worker, 'message')) as [readonly string[]]
    return certificates
  } finally {
    await worker.terminate()
  }
}
