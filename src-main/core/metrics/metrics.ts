import { AppError } from '../../../src-shared/domain/app-error'
import type { MetricsRange, ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { background } from '../lifecycle/background'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { Timekeeper } from '../ports'
import { compileMetrics } from './compile-metrics'
import type { CountedServer } from './counted-server'
import type { MetricsFolder } from './metrics-folder'
import { MINUTE_MS } from './minute'
import { ServerRecorder } from './server-recorder'

export type MetricsOptions = {
  readonly folder: MetricsFolder
  readonly time: Timekeeper
  /** How old a look at the processes may be that is not taken anew, in ms. */
  readonly freshMs: number
  /** Undefined for a server that is no more. */
  readonly find: (installationId: string) => CountedServer | undefined
  /** As the person named it. */
  readonly nameOf: (installationId: string) => string
  readonly onRequest: (installationId: string, request: EndedRequest) => void
}

type Kept = {
  readonly recorder: ServerRecorder
  /** What earlier runs left is in the recorder; not read before somebody asks, as it takes memory. */
  loaded: Promise<void> | undefined
}

/** The figures of all servers over the last 24 h: in memory, and in files so that they outlive the app. */
export class Metrics {
  readonly #options: MetricsOptions
  readonly #kept = new Map<string, Kept>()
  #ticker: Disposable | undefined
  #looking: Promise<void> | undefined
  #lookedAt = -Infinity
  /** Lines of files of earlier runs that could not be read. */
  #dropped = 0
  #isClosed = false

  constructor(options: MetricsOptions) {
    this.#options = options
    this.#tickLater()
  }

  /** To be called at every change of a server's status and steps. */
  changed(installationId: string): void {
    this.#keep(installationId)?.recorder.poll()
  }

  /** The figures of a server up to now, its processes looked at afresh. Rejects with NOT_FOUND. */
  async read(installationId: string, range: MetricsRange): Promise<ServerMetrics> {
    const kept = this.#keep(installationId)
    if (!kept) {
      throw new AppError('NOT_FOUND', 'This server is no longer in the list.', {
        hint: 'Another window may have removed it.',
      })
    }
    kept.loaded ??= this.#load(installationId, kept)
    await Promise.all([kept.loaded, this.#look()])
    return this.#compile(installationId, kept.recorder, range)
  }

  /** As `read`, of several servers over 24 h; with how many lines of earlier runs could not be read. */
  async readAll(
    installationIds: readonly string[],
  ): Promise<{ readonly servers: ServerMetrics[]; readonly droppedLines: number }> {
    const known = installationIds.filter((one) => this.#keep(one))
    const all = await Promise.all(known.map((one) => this.read(one, '24h')))
    return { servers: all, droppedLines: this.#dropped }
  }

  /** What was counted since the app runs, up to now. */
  recorders(): ReadonlyMap<string, ServerRecorder> {
    return new Map(
      [...this.#kept].map(([installationId, { recorder }]) => {
        recorder.poll()
        return [installationId, recorder]
      }),
    )
  }

  /** Forgets a server that is removed; settles when its files are gone. */
  async remove(installationId: string): Promise<void> {
    this.#kept.get(installationId)?.recorder[Symbol.dispose]()
    this.#kept.delete(installationId)
    await this.#options.folder.remove(installationId)
  }

  /** Writes what was counted so far. Settles within about 2 s. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#ticker?.[Symbol.dispose]()
    for (const { recorder } of this.#kept.values()) {
      recorder.poll()
      recorder.flush()
      recorder[Symbol.dispose]()
    }
    await this.#options.folder.close()
  }

  #keep(installationId: string): Kept | undefined {
    const known = this.#kept.get(installationId)
    const server = known ? undefined : this.#options.find(installationId)
    if (!server || this.#isClosed) return known
    const { folder, time, onRequest } = this.#options
    const recorder = new ServerRecorder({
      server,
      time,
      onLine: (minute, line) => folder.append(installationId, minute, line),
      onRequest: (request) => onRequest(installationId, request),
    })
    const kept: Kept = { recorder, loaded: undefined }
    this.#kept.set(installationId, kept)
    return kept
  }

  async #load(installationId: string, kept: Kept): Promise<void> {
    const earlier = await this.#options.folder.read(installationId)
    if (!earlier) {
      // Who asks next may find it readable.
      kept.loaded = undefined
      return
    }
    kept.recorder.addEarlier(earlier.minutes)
    this.#dropped += earlier.dropped
  }

  #compile(installationId: string, recorder: ServerRecorder, range: MetricsRange): ServerMetrics {
    const { time, nameOf } = this.#options
    recorder.poll()
    const minutes = recorder.minutes()
    const source = { installationId, name: nameOf(installationId), minutes, now: time.now() }
    return compileMetrics({ ...source, use: recorder.use }, range)
  }

  /** Looks at the processes and counts, which ends the minute that is over. */
  async #tick(): Promise<void> {
    await this.#look()
    for (const { recorder } of this.#kept.values()) recorder.poll()
  }

  /** One look for all servers and all who ask; none while the last one is fresh. */
  #look(): Promise<void> {
    const { time, freshMs } = this.#options
    if (this.#looking) return this.#looking
    if (time.monotonic() - this.#lookedAt < freshMs) return Promise.resolve()
    const looks = [...this.#kept.values()].map(({ recorder }) => recorder.look())
    this.#looking = Promise.all(looks)
      .then(() => {
        this.#lookedAt = time.monotonic()
      })
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  /** At the begin of each minute of the clock on the wall, also of one that was set anew. */
  #tickLater(): void {
    if (this.#isClosed) return
    const { time } = this.#options
    this.#ticker = time.after(MINUTE_MS - (time.now() % MINUTE_MS), () => {
      background(
        this.#tick().finally(() => this.#tickLater()),
        'metrics',
      )
    })
  }
}
