import { messageOf } from '../../failure/describe-failure'
import { toDisposable } from '../../lifecycle/disposables'
import type { ResourceWatches, WatchListener } from '../../servers/resource-watches'
import type { ResourceRoute } from '../listing/resource-route'

type Shown = {
  readonly agentId: string
  readonly uri: string
  readonly listener: WatchListener
  /** Where the resource is watched; undefined while no server that is exposed to the agent has it. */
  route: ResourceRoute | undefined
  watch: Disposable | undefined
}

/** What agents watch, each resource at the server that is exposed to its agent for it: at none while its profile hides that. */
export class ShownWatches {
  readonly #shown = new Set<Shown>()

  constructor(
    private readonly watches: Pick<ResourceWatches, 'add'>,
    /** Where a resource of an agent is read; throws NOT_FOUND. */
    private readonly routeOf: (agentId: string, uri: string) => ResourceRoute,
  ) {}

  /** See `ResourceWatches.add`; rejects with NOT_FOUND where no such resource is exposed to the agent. */
  async add(agentId: string, uri: string, listener: WatchListener): Promise<Disposable> {
    const route = this.routeOf(agentId, uri)
    const watch = await this.watches.add(route.installationId, route.uri, listener)
    const shown: Shown = { agentId, uri, listener, route, watch }
    this.#shown.add(shown)
    // The resource may have been hidden meanwhile.
    this.#update(shown)
    return toDisposable(() => {
      this.#shown.delete(shown)
      shown.watch?.[Symbol.dispose]()
    })
  }

  /** The listing of an agent changed. */
  review(agentId: string): void {
    for (const shown of this.#shown) if (shown.agentId === agentId) this.#update(shown)
  }

  #update(shown: Shown): void {
    const route = this.#routeOf(shown)
    const { route: before } = shown
    if (route?.installationId === before?.installationId && route?.uri === before?.uri) return
    shown.watch?.[Symbol.dispose]()
    shown.watch = undefined
    shown.route = route
    if (route) void this.#follow(shown, route)
  }

  #routeOf({ agentId, uri }: Shown): ResourceRoute | undefined {
    try {
      return this.routeOf(agentId, uri)
    } catch {
      return undefined // no server that is exposed to the agent has it
    }
  }

  async #follow(shown: Shown, route: ResourceRoute): Promise<void> {
    const { listener } = shown
    const isWanted = (): boolean => this.#shown.has(shown) && shown.route === route
    try {
      const watch = await this.watches.add(route.installationId, route.uri, listener)
      if (!isWanted()) {
        watch[Symbol.dispose]()
        return
      }
      shown.watch = watch
      // Changes while it was hidden reached nobody.
      listener.updated()
    } catch (error) {
      if (isWanted()) listener.lost(route.installationId, messageOf(error))
    }
  }
}
