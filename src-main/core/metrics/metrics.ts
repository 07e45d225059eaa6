import { AppError } from '../../../src-shared/domain/app-error'
import type {
  MetricsRange,
  MetricsStep,
  PhaseTimes,
  ServerMetrics,
  TreeUse,
} from '../../../src-shared/domain/running/metrics'
import { StartPhase } from '../../../src-shared/domain/running/run-status'
import { background } from '../lifecycle/background'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { Timekeeper } from '../ports'
import type { CountedServer } from './counted-server'
import { summariseLatency } from './latency-bins'
import type { MetricsFolder } from './metrics-folder'
import { addMinute, emptyMinute, type Minute, MINUTE_MS } from './minute'
import { ServerRecorder } from './server-recorder'

/** Minutes per step, and number of steps. */
const RANGES: Record<MetricsRange, { readonly length: number; readonly count: number }> = {
  '1h': { length: 1, count: 60 },
  '6h': { length: 3, count: 120 },
  '24h': { length: 12, count: 120 },
}
/** Error codes counted separately. */
const MAX_CODES = 50

type MetricsSource = {
  readonly installationId: string
  readonly name: string
  /** In any order; a minute may come in several parts. */
  readonly minutes: readonly Minute[]
  /** Epoch ms. */
  readonly now: number
  readonly use: TreeUse | undefined
}

/**
 * Compiles the metrics of a range that ends now. Steps are aligned to multiples of their length, so that shown ones don't move; the last
 * one is incomplete.
 */
export function compileMetrics(source: MetricsSource, range: MetricsRange): ServerMetrics {
  const { installationId, name, now, use } = source
  const { length, count } = RANGES[range]
  const stepMs = length * MINUTE_MS
  const first = (Math.floor(now / stepMs) - count + 1) * length
  const steps = Array.from({ length: count }, (_, index) => emptyMinute(first + index * length))
  // Future minutes come from a wrong clock.
  for (const minute of source.minutes.filter((one) => one.minute * MINUTE_MS <= now)) {
    const step = steps[Math.floor((minute.minute - first) / length)]
    if (step) addMinute(step, minute)
  }
  const total = emptyMinute(first)
  for (const step of steps) {
    step.upMs = Math.min(stepMs, step.upMs)
    addMinute(total, step)
  }
  return {
    installationId,
    name,
    from: first * MINUTE_MS,
    to: now,
    stepMs,
    steps: steps.map(toStep),
    totals: totalsOf(total),
    phases: phaseTimes(total.phases ?? []),
    now: use,
  }
}

function toStep(sum: Minute): MetricsStep {
  const { minute, upMs, requests, bytesIn, bytesOut, stderrLines, noiseLines, rssBytes } = sum
  return {
    at: minute * MINUTE_MS,
    upMs: Math.round(upMs),
    requests,
    errors: Object.values(sum.errors ?? {}).reduce((all, one) => all + one, 0),
    latency: summariseLatency(sum.latency ?? {}),
    bytesIn,
    bytesOut,
    stderrLines,
    noiseLines,
    rssBytes,
    cpuPercent: sum.cpuOfMs > 0 ? (sum.cpuMs / sum.cpuOfMs) * 100 : undefined,
  }
}

function totalsOf(total: Minute): ServerMetrics['totals'] {
  const { at: _at, rssBytes: _rssBytes, cpuPercent: _cpuPercent, ...counted } = toStep(total)
  const { starts, restarts, losses } = total
  return { ...counted, starts, restarts, losses, errorsByCode: byCode(total) }
}

/** Most frequent first; the rarest beyond 50 codes are merged into `other`. */
function byCode({ errors = {} }: Minute): ServerMetrics['totals']['errorsByCode'] {
  const { other = 0, ...named } = errors
  const sorted = Object.entries(named)
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code, 'en'))
  const rest = sorted.slice(MAX_CODES).reduce((sum, { count }) => sum + count, other)
  return [...sorted.slice(0, MAX_CODES), ...(rest > 0 ? [{ code: 'other', count: rest }] : [])]
}

function phaseTimes(done: NonNullable<Minute['phases']>): PhaseTimes[] {
  return StartPhase.options.flatMap((phase) => {
    const times = done.filter(([one]) => one === phase).map(([, ms]) => ms)
    const lastMs = times.at(-1)
    const sorted = [...times].sort((a, b) => a - b)
    const medianMs = sorted[Math.ceil(sorted.length / 2) - 1]
    if (lastMs === undefined || medianMs === undefined) return []
    return [{ phase, count: times.length, lastMs, medianMs }]
  })
}

export type MetricsOptions = {
  readonly folder: MetricsFolder
  readonly time: Timekeeper
  /** Maximum age of a process measurement before it is repeated, in ms. */
  readonly maxAgeMs: number
  /** Undefined for a removed server. */
  readonly find: (installationId: string) => CountedServer | undefined
  /** The user's name for the server. */
  readonly nameOf: (installationId: string) => string
  readonly onRequest: (installationId: string, request: EndedRequest) => void
}

type Recorded = {
  readonly recorder: ServerRecorder
  /** Loads the metrics of earlier runs on demand, because they take memory. */
  loaded: Promise<void> | undefined
}

/** All servers' metrics of the last 24 h, in memory and in files. */
export class Metrics {
  readonly #recorded = new Map<string, Recorded>()
  #ticker: Disposable | undefined
  #looking: Promise<void> | undefined
  #measuredAt = -Infinity
  /** Unreadable lines of earlier runs. */
  #dropped = 0
  #isClosed = false

  constructor(private readonly options: MetricsOptions) {
    this.#tickLater()
  }

  /** Call at every change of a server's status or phases. */
  changed(installationId: string): void {
    this.#recorderOf(installationId)?.recorder.poll()
  }

  /** Returns a server's current metrics with a new process measurement. Rejects with NOT_FOUND. */
  async read(installationId: string, range: MetricsRange): Promise<ServerMetrics> {
    const recorded = this.#recorderOf(installationId)
    if (!recorded) {
      throw new AppError('NOT_FOUND', 'This server is no longer in the list.', {
        hint: 'Another window may have removed it.',
      })
    }
    recorded.loaded ??= this.#load(installationId, recorded)
    await Promise.all([recorded.loaded, this.#measure()])
    return this.#compile(installationId, recorded.recorder, range)
  }

  /** Like `read`, for several servers over 24 h; with the number of unreadable lines. */
  async readAll(
    installationIds: readonly string[],
  ): Promise<{ readonly servers: ServerMetrics[]; readonly droppedLines: number }> {
    const known = installationIds.filter((one) => this.#recorderOf(one))
    const all = await Promise.all(known.map((one) => this.read(one, '24h')))
    return { servers: all, droppedLines: this.#dropped }
  }

  /** The counts of this run, up to now. */
  recorders(): ReadonlyMap<string, ServerRecorder> {
    return new Map(
      [...this.#recorded].map(([installationId, { recorder }]) => {
        recorder.poll()
        return [installationId, recorder]
      }),
    )
  }

  /** Forgets a removed server; settles when its files are gone. */
  async remove(installationId: string): Promise<void> {
    this.#recorded.get(installationId)?.recorder[Symbol.dispose]()
    this.#recorded.delete(installationId)
    await this.options.folder.remove(installationId)
  }

  /** Writes the counts so far. Settles within about 2 s. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#ticker?.[Symbol.dispose]()
    for (const { recorder } of this.#recorded.values()) {
      recorder.poll()
      recorder.flush()
      recorder[Symbol.dispose]()
    }
    await this.options.folder.close()
  }

  #recorderOf(installationId: string): Recorded | undefined {
    const known = this.#recorded.get(installationId)
    const server = known ? undefined : this.options.find(installationId)
    if (!server || this.#isClosed) return known
    const { folder, time, onRequest } = this.options
    const recorder = new ServerRecorder({
      server,
      time,
      onLine: (minute, line) => folder.append(installationId, minute, line),
      onRequest: (request) => onRequest(installationId, request),
    })
    const kept: Recorded = { recorder, loaded: undefined }
    this.#recorded.set(installationId, kept)
    return kept
  }

  async #load(installationId: string, recorded: Recorded): Promise<void> {
    const earlier = await this.options.folder.read(installationId)
    if (!earlier) {
      // The next call may be able to read it.
      recorded.loaded = undefined
      return
    }
    recorded.recorder.addEarlier(earlier.minutes)
    this.#dropped += earlier.dropped
  }

  #compile(installationId: string, recorder: ServerRecorder, range: MetricsRange): ServerMetrics {
    const { time, nameOf } = this.options
    recorder.poll()
    const minutes = recorder.minutes()
    const source = { installationId, name: nameOf(installationId), minutes, now: time.now() }
    return compileMetrics({ ...source, use: recorder.use }, range)
  }

  /** Measures processes and counts, which ends the past minute. */
  async #tick(): Promise<void> {
    await this.#measure()
    for (const { recorder } of this.#recorded.values()) recorder.poll()
  }

  /** One measurement for all servers and callers; none while the last one is fresh. */
  #measure(): Promise<void> {
    const { time, maxAgeMs } = this.options
    if (this.#looking) return this.#looking
    if (time.monotonic() - this.#measuredAt < maxAgeMs) return Promise.resolve()
    const measured = [...this.#recorded.values()].map(({ recorder }) => recorder.measure())
    this.#looking = Promise.all(measured)
      .then(() => {
        this.#measuredAt = time.monotonic()
      })
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  /** At the beginning of each wall clock minute, even if the clock was set. */
  #tickLater(): void {
    if (this.#isClosed) return
    const { time } = this.options
    this.#ticker = time.after(MINUTE_MS - (time.now() % MINUTE_MS), () => {
      background(
        this.#tick().finally(() => this.#tickLater()),
        'metrics',
      )
    })
  }
}
