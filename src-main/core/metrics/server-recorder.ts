import type { TreeUse } from '../../../src-shared/domain/running/metrics'
import type { PhaseRecord } from '../../../src-shared/domain/running/run-status'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { Timekeeper } from '../ports'
import { TreeMeter } from '../process/tree/tree-meter'
import type { CountedServer, Counters } from './counted-server'
import { binOf } from './latency-bins'
import {
  addError,
  addMinute,
  addOne,
  addPhase,
  COUNTED,
  emptyMinute,
  lineOf,
  type Minute,
  MINUTE_MS,
} from './minute'

/**
 * Minutes older than this are merged into groups of this length, oldest first. The groups match the ranges in `metrics.ts`, with some
 * minutes more: no range splits a group.
 */
const GROUPS = [
  { olderThan: 6 * 60 + 12, length: 12 },
  { olderThan: 60 + 3, length: 3 },
] as const

/** Most minutes and groups: a day, with room for a clock that was wrong for a while. */
const MAX_KEPT = 300

/**
 * The last day of one server without empty minutes; older ones are merged into groups under their first minute. Bounded by number, not by
 * time, so that a jumping clock costs no metrics.
 */
export class MinuteHistory {
  #minutes = new Map<number, Minute>()

  /** Adds a completed minute; merges it with an existing one after the clock was set back. `now` in minutes since the epoch. */
  add(minute: Minute, now: number): void {
    this.#retain([...this.#minutes.values(), minute], now)
  }

  /** Adds the minutes of earlier runs as the oldest. */
  addEarlier(minutes: readonly Minute[], now: number): void {
    this.#retain([...minutes, ...this.#minutes.values()], now)
  }

  all(): readonly Minute[] {
    return [...this.#minutes.values()]
  }

  #retain(minutes: readonly Minute[], now: number): void {
    this.#minutes = new Map()
    for (const one of minutes) {
      const minute = firstOfGroup(one.minute, now)
      const known = this.#minutes.get(minute)
      if (known) addMinute(known, one)
      else this.#minutes.set(minute, { ...one, minute })
    }
    for (const oldest of this.#minutes.keys()) {
      if (this.#minutes.size <= MAX_KEPT) return
      this.#minutes.delete(oldest)
    }
  }
}

function firstOfGroup(minute: number, now: number): number {
  const length = GROUPS.find(({ olderThan }) => now - minute > olderThan)?.length ?? 1
  return minute - (minute % length)
}

export type RecorderOptions = {
  readonly server: CountedServer
  readonly time: Pick<Timekeeper, 'now' | 'monotonic'>
  /** A minute has ended: its number and its line for the file. */
  readonly onLine: (minute: number, line: string) => void
  readonly onRequest: (request: EndedRequest) => void
}

/** Counts what happens with one server, minute by minute. The wall clock decides the minute, the monotonic clock measures durations. */
export class ServerRecorder implements Disposable {
  readonly #history = new MinuteHistory()
  readonly #recorded = new WeakSet<PhaseRecord>()
  readonly #requests: Disposable
  #open: Minute
  /** The counters at the last poll. */
  #counters = NOTHING
  readonly #totals = { ...NOTHING, upMs: 0 }
  #wasUp = false
  #isClosed = false
  #at: number
  #tree: ReturnType<CountedServer['tree']>
  #meter = new TreeMeter()
  #use: TreeUse | undefined

  constructor(private readonly options: RecorderOptions) {
    const { server, time } = options
    this.#open = emptyMinute(this.#minuteNow())
    this.#at = time.monotonic()
    this.#requests = server.onDidEndRequest((request) => this.#ended(request))
    this.poll()
  }

  /** Counts since the app started, with the uptime in ms. */
  get totals(): Readonly<Counters & { upMs: number }> {
    return this.#totals
  }

  get isUp(): boolean {
    return this.#wasUp
  }

  /** The last measurement of its processes; undefined without processes. */
  get use(): TreeUse | undefined {
    return this.options.server.tree() === this.#tree ? this.#use : undefined
  }

  /** All minutes and the current one, in no order; a minute may come in several parts. */
  minutes(): readonly Minute[] {
    return [...this.#history.all(), this.#open]
  }

  /** Adds the minutes of earlier runs. */
  addEarlier(minutes: readonly Minute[]): void {
    this.#history.addEarlier(minutes, this.#minuteNow())
  }

  /** Counts everything since the last poll; call at every change of the server and once a minute. */
  poll(): void {
    const { server, time } = this.options
    const monotonic = time.monotonic()
    const elapsed = this.#wasUp ? monotonic - this.#at : 0
    this.#at = monotonic
    this.#totals.upMs += elapsed
    this.#wasUp = server.isUp()
    this.#turnToTree()
    this.#count(server.counters())
    for (const record of server.phases()) this.#addPhase(record)
    const minute = this.#minuteNow()
    if (minute === this.#open.minute) {
      this.#addUp(elapsed)
      return
    }
    const sinceBegin = Math.min(elapsed, time.now() - minute * MINUTE_MS)
    this.#addUp(elapsed - sinceBegin)
    this.flush()
    this.#addUp(sinceBegin)
  }

  /** Measures the processes; never rejects. */
  async measure(): Promise<void> {
    const tree = this.#turnToTree()
    const members = (await tree?.look()) ?? []
    if (tree !== this.#tree || members.length === 0) return
    const { use, cpu } = this.#meter.measure(members, this.options.time.monotonic())
    this.#use = use
    this.#open.rssBytes = Math.max(this.#open.rssBytes ?? 0, use.rssBytes)
    this.#open.cpuMs += cpu?.cpuMs ?? 0
    this.#open.cpuOfMs += cpu?.ofMs ?? 0
  }

  /** Ends the current minute, even early: later counts become another part of it. */
  flush(): void {
    // A removed server may still be read, but its files are gone.
    const line = this.#isClosed ? undefined : lineOf(this.#open)
    if (line !== undefined) {
      this.#history.add(this.#open, this.#minuteNow())
      this.options.onLine(this.#open.minute, line)
    }
    this.#open = emptyMinute(this.#minuteNow())
  }

  /** Writes nothing afterwards. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#requests[Symbol.dispose]()
  }

  /** Another session has another tree; the previous one is released, because it retains the session. */
  #turnToTree(): ReturnType<CountedServer['tree']> {
    const tree = this.options.server.tree()
    if (tree !== this.#tree) {
      this.#tree = tree
      this.#meter = new TreeMeter()
      this.#use = undefined
    }
    return tree
  }

  #ended(request: EndedRequest): void {
    // Belongs to this minute; everything else may wait for the next poll.
    if (this.#minuteNow() !== this.#open.minute) this.poll()
    const minute = this.#open
    minute.requests += 1
    addOne((minute.latency ??= {}), binOf(request.ms))
    if (request.failure !== undefined) addError(minute, request.failure)
    this.options.onRequest(request)
  }

  #count(now: Counters): void {
    for (const key of COUNTED) {
      const grown = now[key] - this.#counters[key]
      this.#open[key] += grown
      this.#totals[key] += grown
    }
    this.#counters = now
  }

  #addPhase(record: PhaseRecord): void {
    if (record.outcome !== 'done' || this.#recorded.has(record)) return
    this.#recorded.add(record)
    const { phase, startedAt, endedAt = startedAt } = record
    addPhase(this.#open, phase, endedAt - startedAt)
  }

  #addUp(ms: number): void {
    this.#open.upMs = Math.min(MINUTE_MS, this.#open.upMs + ms)
  }

  #minuteNow(): number {
    return Math.floor(this.options.time.now() / MINUTE_MS)
  }
}

const NOTHING = Object.fromEntries(COUNTED.map((one) => [one, 0])) as Counters
