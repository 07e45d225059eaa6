import type { Agent } from '../../../../../src-shared/domain/agents/agent'
import type { EndpointCore } from '../requests/endpoint-core'

type Watched = { count: number; readonly ending: AbortController }

/** The resources that one agent wants to hear of in the newer era, each told once however often it is wanted. */
export class WatchedResources {
  readonly #watched = new Map<string, Watched>()

  constructor(
    private readonly core: Pick<EndpointCore, 'watch'>,
    private readonly tell: (uri: string) => void,
  ) {}

  /** Watches these until the result is disposed; what cannot be watched stays silent, as the era has no word for it. */
  watch(agent: Agent, uris: readonly string[]): Disposable {
    const wanted = [...new Set(uris)]
    for (const uri of wanted) this.#enter(agent, uri)
    return {
      [Symbol.dispose]: () => {
        for (const uri of wanted) this.#leave(uri)
      },
    }
  }

  #enter(agent: Agent, uri: string): void {
    const watched = this.#watched.get(uri)
    if (watched) {
      watched.count += 1
      return
    }
    const ending = new AbortController()
    this.#watched.set(uri, { count: 1, ending })
    void this.#follow(agent, uri, ending.signal)
  }

  #leave(uri: string): void {
    const watched = this.#watched.get(uri)
    if (!watched) return
    watched.count -= 1
    if (watched.count > 0) return
    this.#watched.delete(uri)
    watched.ending.abort()
  }

  async #follow(agent: Agent, uri: string, signal: AbortSignal): Promise<void> {
    const updated = (): void => this.tell(uri)
    // The era has no word for a loss: who is told looks again, as far as it goes.
    const listener = { updated, lost: updated }
    const watch = await this.core.watch(agent, uri, listener).catch(() => undefined) // stays silent
    const end = (): void => watch?.[Symbol.dispose]()
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  }
}
