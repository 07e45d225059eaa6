import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

import type { Dispatcher } from 'undici'

import { isJsonObject } from '../../../src-shared/domain/server-json/tolerant-reader'
import {
  type Environment,
  environmentProxies,
  isHere,
  type NamedProxies,
} from './environment-proxies'
import { isNeverReached } from './fetch-failure'
import { readProxyList } from './proxy-list'
import { publicLookup } from './public-address'

/** Asks the system by which proxies an address is to be reached; answers as a PAC script does (`PROXY a:80; DIRECT`). */
export type ResolveProxy = (address: string) => Promise<string>

/** What the network of the system is known by; each has a default. */
export type SystemNetworkOptions = {
  readonly environment?: Environment
  /** Asked where the environment names no proxy; without it there is none. */
  readonly resolveProxy?: ResolveProxy | undefined
  /** How names become numbers. */
  readonly lookUp?: typeof lookup
}

/** One way to an address; without a dispatcher it is the way of Node's own `fetch`. */
type Way = Dispatcher | undefined

/** Proxies whose connections are kept open at the same time. */
const MOST_PROXIES = 8

/**
 * The network as the system has it: by the proxy of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) or else by those that
 * the desktop names, and with what the system trusts besides Node's own list, as in a company that looks into its
 * traffic. That is read for the whole process when something is first asked: it takes a moment. To be disposed by its owner.
 */
export class SystemNetwork implements AsyncDisposable {
  readonly #options: SystemNetworkOptions
  readonly #proxies: NamedProxies | undefined
  readonly #ways = new Map<string, Dispatcher>()
  #isSetUp = false

  constructor(options: SystemNetworkOptions = {}) {
    this.#options = options
    this.#proxies = environmentProxies(options.environment ?? process.env)
  }

  /** Rejects as `globalThis.fetch` does, and with `UnusableProxy` where there is no other way than by such a one. */
  readonly fetch: typeof globalThis.fetch = (input, init) =>
    this.#ask(input, init, { isPublicOnly: false })

  /**
   * As `fetch`, but connects to public addresses alone: the number that is judged is the one that is connected to. A
   * proxy resolves names itself.
   */
  readonly publicFetch: typeof globalThis.fetch = (input, init) =>
    this.#ask(input, init, { isPublicOnly: true })

  /** Cuts what is under way by dispatchers of its own. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ways = [...this.#ways.values()]
    this.#ways.clear()
    await Promise.all(ways.map((way) => way.destroy()))
  }

  async #ask(
    input: Parameters<typeof globalThis.fetch>[0],
    init: RequestInit | undefined,
    rule: { readonly isPublicOnly: boolean },
  ): Promise<Response> {
    this.#trustSystem()
    const address = new URL(input instanceof Request ? input.url : input)
    const ways = await this.#waysTo(address, rule.isPublicOnly)
    let failure: unknown
    for (const way of ways) {
      try {
        return await send(input, init, way)
      } catch (error) {
        if (!isUnconnected(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  /** The ways to an address in the order in which they are tried. */
  async #waysTo(address: URL, isPublicOnly: boolean): Promise<Way[]> {
    const direct = async (): Promise<Way> => (isPublicOnly ? await this.#publicWay() : undefined)
    if (isHere(address)) return [await direct()]
    if (this.#proxies) return [await this.#environmentWay(this.#proxies, isPublicOnly)]
    const answer = (await this.#options.resolveProxy?.(address.href)) ?? ''
    const steps = readProxyList(answer).filter(({ kind }) => kind !== 'unusable')
    if (steps.length === 0) throw new UnusableProxy(`The desktop (${answer})`)
    return Promise.all(
      steps.map((step) => (step.kind === 'proxy' ? this.#proxyWay(step.url) : direct())),
    )
  }

  #publicWay(): Promise<Dispatcher> {
    return this.#way('public', async () => {
      const { Agent } = await import('undici')
      return new Agent({ connect: { lookup: this.#publicLookup() } })
    })
  }

  #environmentWay(proxies: NamedProxies, isPublicOnly: boolean): Promise<Dispatcher> {
    if (proxies === 'unusable') throw new UnusableProxy('HTTP_PROXY or HTTPS_PROXY')
    return this.#way(isPublicOnly ? 'environment, public' : 'environment', async () => {
      const { EnvHttpProxyAgent } = await import('undici')
      // It is for those that NO_PROXY names: the proxy itself is looked up as ever.
      const connect = isPublicOnly ? { connect: { lookup: this.#publicLookup() } } : {}
      return new EnvHttpProxyAgent({ ...proxies, ...connect })
    })
  }

  #proxyWay(url: string): Promise<Dispatcher> {
    return this.#way(url, async () => {
      const { ProxyAgent } = await import('undici')
      return new ProxyAgent(url)
    })
  }

  async #way(name: string, make: () => Promise<Dispatcher>): Promise<Dispatcher> {
    const way = this.#ways.get(name) ?? (await make())
    this.#ways.delete(name)
    this.#ways.set(name, way)
    const [oldest] = this.#ways
    if (oldest && this.#ways.size > MOST_PROXIES) {
      this.#ways.delete(oldest[0])
      // It ends once what is under way by it has come to its end, which is told to those who asked.
      void oldest[1].close().catch(() => undefined)
    }
    return way
  }

  #publicLookup(): LookupFunction {
    return publicLookup(this.#options.lookUp ?? lookup)
  }

  #trustSystem(): void {
    if (this.#isSetUp) return
    this.#isSetUp = true
    const trusted = [...getCACertificates('default'), ...getCACertificates('system')]
    setDefaultCACertificates([...new Set(trusted)])
  }
}

/** A proxy is named that is none: nothing is asked without it, as it may be there to keep things in. */
class UnusableProxy extends TypeError {
  override readonly name = 'UnusableProxy'
  readonly code = 'PROXY_UNUSABLE'

  constructor(place: string) {
    super(`${place} names no proxy that can be used.`)
  }
}

async function send(
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit | undefined,
  way: Way,
): Promise<Response> {
  if (way === undefined) return globalThis.fetch(input, init)
  const { fetch } = await import('undici')
  // Its classes are those of the package, though they do what the global ones do.
  const ask = fetch as unknown as (address: string | URL, init: object) => Promise<Response>
  return ask(input instanceof Request ? input.url : input, { ...init, dispatcher: way })
}

/** Whether nothing was sent, so that another way may be tried. */
function isUnconnected(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  const [first = cause] = cause instanceof AggregateError ? (cause.errors as unknown[]) : []
  return isJsonObject(first) && isNeverReached(first.code)
}
