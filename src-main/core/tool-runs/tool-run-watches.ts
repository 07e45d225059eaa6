import { AppError } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'
import { background } from '../lifecycle/background'
import { Throttle } from '../lifecycle/throttle'
import type { ResourceWatches } from '../servers/resource-watches'

/** A resource of a server. */
export type WatchedResource = { readonly installationId: string; readonly uri: string }

/** A resource, and one of those who watch it. */
export type WatchRequest = WatchedResource & { readonly watcherId: string }

type Watch = WatchedResource & {
  /** Those who watch it, in the order in which they came. */
  readonly watchers: Set<string>
  readonly telling: Throttle
  /** Settles when the server knows of it. */
  readonly begun: Promise<Disposable>
}

/** A resource that changes all the time is told at most this often, in ms. */
const TELL_EVERY_MS = 250
const MOST_WATCHES = 200
/** Of one resource; of windows that are gone without a word the oldest are forgotten. */
const MOST_WATCHERS = 20

/** The resources that the user wants to hear of, until all who watch them have left them or their server is removed. */
export class ToolRunWatches implements Disposable {
  readonly #watches = new Map<string, Watch>()

  constructor(
    private readonly shared: Pick<ResourceWatches, 'add'>,
    private readonly onUpdated: (resource: WatchedResource) => void,
  ) {}

  /** A server that does not run is asked as soon as it does. Rejects with NOT_AVAILABLE_HERE, or as the server does. */
  async watch({ watcherId, ...resource }: WatchRequest): Promise<void> {
    const watch = this.#watches.get(keyOf(resource)) ?? this.#begin(resource)
    watch.watchers.add(watcherId)
    const [oldest] = watch.watchers
    if (watch.watchers.size > MOST_WATCHERS && oldest !== undefined) watch.watchers.delete(oldest)
    try {
      await watch.begun
    } catch (error) {
      this.#drop(watch)
      throw error instanceof AppError ? error : refusedError(error)
    }
  }

  unwatch({ watcherId, ...resource }: WatchRequest): void {
    const watch = this.#watches.get(keyOf(resource))
    watch?.watchers.delete(watcherId)
    if (watch?.watchers.size === 0) this.#drop(watch)
  }

  /** Leaves all of a server. */
  forget(installationId: string): void {
    for (const watch of [...this.#watches.values()])
      if (watch.installationId === installationId) this.#drop(watch)
  }

  [Symbol.dispose](): void {
    for (const watch of [...this.#watches.values()]) this.#drop(watch)
  }

  #begin({ installationId, uri }: WatchedResource): Watch {
    if (this.#watches.size >= MOST_WATCHES)
      throw new AppError('INVALID_REQUEST', `At most ${MOST_WATCHES} resources can be followed.`, {
        hint: 'Stop following another resource first.',
      })
    const telling = new Throttle(TELL_EVERY_MS, () => this.onUpdated({ installationId, uri }))
    // One that is lost is asked for again when its server is connected again; what changed meanwhile is not known.
    const updated = (): void => telling.call()
    const begun = this.shared.add(installationId, uri, { updated, lost: updated })
    const watch: Watch = { installationId, uri, watchers: new Set(), telling, begun }
    this.#watches.set(keyOf(watch), watch)
    return watch
  }

  #drop(watch: Watch): void {
    if (this.#watches.get(keyOf(watch)) !== watch) return
    this.#watches.delete(keyOf(watch))
    watch.telling[Symbol.dispose]()
    // One that never began is told to whoever waits for it.
    background(
      watch.begun.then(
        (shared) => shared[Symbol.dispose](),
        () => undefined,
      ),
      'watching a resource',
    )
  }
}

function keyOf({ installationId, uri }: WatchedResource): string {
  return `${installationId} ${uri}`
}

function refusedError(cause: unknown): AppError {
  const said = messageOf(cause).replace(/\.+$/u, '')
  return new AppError(
    'REQUEST_REFUSED',
    `The server can’t send updates of this resource: ${said}.`,
    {
      cause,
    },
  )
}
