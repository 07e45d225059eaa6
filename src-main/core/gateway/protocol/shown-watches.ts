import { messageOf } from '../../failure/describe-failure'
import { toDisposable } from '../../lifecycle/disposables'
import type { ResourceWatches, WatchListener } from '../../servers/resource-watches'

type Shown = {
  readonly agentId: string
  readonly uri: string
  readonly listener: WatchListener
  /** The server that is asked; undefined while the agent is shown none that has the resource. */
  installationId: string | undefined
  watch: Disposable | undefined
  isOver: boolean
}

/** What agents watch, each resource at the server that its agent is shown for it: at none while its profile hides that. */
export class ShownWatches {
  readonly #shown = new Set<Shown>()

  constructor(
    private readonly watches: Pick<ResourceWatches, 'add'>,
    /** The server that answers an agent for a URI, by its id; throws NOT_FOUND. */
    private readonly serverOf: (agentId: string, uri: string) => string,
  ) {}

  /** See `ResourceWatches.add`; rejects with NOT_FOUND where the agent is shown no such resource. */
  async add(agentId: string, uri: string, listener: WatchListener): Promise<Disposable> {
    const installationId = this.serverOf(agentId, uri)
    const watch = await this.watches.add(installationId, uri, listener)
    const shown: Shown = { agentId, uri, listener, installationId, watch, isOver: false }
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
    const installationId = this.#serverOf(shown)
    if (installationId === shown.installationId) return
    shown.watch?.[Symbol.dispose]()
    shown.watch = undefined
    shown.installationId = installationId
    if (installationId !== undefined) void this.#follow(shown, installationId)
  }

  #serverOf({ agentId, uri }: Shown): string | undefined {
    try {
      return this.serverOf(agentId, uri)
    } catch {
      return undefined // it is shown none
    }
  }

  async #follow(shown: Shown, installationId: string): Promise<void> {
    const { uri, listener } = shown
    const isWanted = (): boolean => !shown.isOver && shown.installationId === installationId
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
