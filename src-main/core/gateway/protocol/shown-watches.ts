import { messageOf } from '../../failure/describe-failure'
import { toDisposable } from '../../lifecycle/disposables'
import type { ResourceWatches, WatchListener } from '../../servers/resource-watches'
import type { ResourceRoute } from '../listing/resource-route'

type Shown = {
  readonly agentId: string
  readonly uri: string
  readonly listener: WatchListener
  /** Where the resource is watched; undefined while no server that the agent is shown has it. */
  route: ResourceRoute | undefined
  watch: Disposable | undefined
  isOver: boolean
}

/** What agents watch, each resource at the server that its agent is shown for it: at none while its profile hides that. */
export class ShownWatches {
  readonly #shown = new Set<Shown>()

  constructor(
    private readonly watches: Pick<ResourceWatches, 'add'>,
    /** Where a resource of an agent is read; throws NOT_FOUND. */
    private readonly routeOf: (agentId: string, uri: string) => ResourceRoute,
  ) {}

  /** See `ResourceWatches.add`; rejects with NOT_FOUND where the agent is shown no such resource. */
  async add(agentId: string, uri: string, listener: WatchListener): Promise<Disposable> {
    const route = this.routeOf(agentId, uri)
    const watch = await this.watches.add(route.installationId, route.uri, listener)
    const shown: Shown = { agentId, uri, listener, route, watch, isOver: false }
    this.#shown.add(shown)
    // It may have been hidden while its server was asked.
    this.#look(shown)
    return toDisposable(() => {
      shown.isOver = true
      this.#shown.delete(shown)
      shown.watch?.[Symbol.dispose]()
    })
  }

  /** What an agent is shown is another. */
  review(agentId: string): void {
    for (const shown of this.#shown) if (shown.agentId === agentId) this.#look(shown)
  }

  #look(shown: Shown): void {
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
      return undefined // no server that the agent is shown has it
    }
  }

  async #follow(shown: Shown, route: ResourceRoute): Promise<void> {
    const { listener } = shown
    const { installationId, uri } = route
    const isWanted = (): boolean => !shown.isOver && shown.route === route
    try {
      const watch = await this.watches.add(installationId, uri, listener)
      if (isWanted()) shown.watch = watch
      else watch[Symbol.dispose]()
      // What happened while it was hidden nobody heard of.
      if (isWanted()) listener.updated()
    } catch (error) {
      if (isWanted()) listener.lost(installationId, messageOf(error))
    }
  }
}
