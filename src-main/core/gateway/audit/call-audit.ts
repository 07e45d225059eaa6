import { existsSync } from 'node:fs'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import type { BirpcReturn } from 'birpc'

import type {
  ActivityCounts,
  ActivityPage,
  ActivityPart,
  ActivityQuery,
  ActivityState,
  Call,
} from '../../../../src-shared/domain/agents/activity'
import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf } from '../../failure/describe-failure'
import { Emitter } from '../../lifecycle/emitter'
import { ThreadKeeper } from '../../lifecycle/thread-keeper'
import { Throttle } from '../../lifecycle/throttle'
import { withTimeLimit } from '../../lifecycle/time-limit'
import { Trouble } from '../../lifecycle/trouble'
import type { Timekeeper } from '../../ports'
import {
  type AuditLoss,
  auditPath,
  type CallMask,
  emptyDay,
  type NewCall,
  shownCall,
  sizeOf,
  storedCall,
} from './audit-call'
import type { AuditBounds, CallFilter } from './audit-store'
import type { AuditCalls, AuditHostCalls } from './audit-thread'

export type CallAuditOptions = {
  /** Absolute path of the folder of `activity.db`; made with the first call. */
  readonly folder: string
  /** Starts the thread whose entry is `audit-thread.ts`. */
  readonly createWorker: (options: WorkerOptions) => Worker
  readonly mask: CallMask
  /** How many days calls are stored. */
  readonly days: () => number
  /** Calls can't be written: a sentence, once; undefined once they can. */
  readonly onTrouble: (message: string | undefined) => void
  readonly onLost: (loss: AuditLoss) => void
  readonly time: Timekeeper
  /** The time without a call or a query after which the thread ends and gives its memory back, in ms. */
  readonly restMs?: number
}

const BOUNDS: AuditBounds = {
  calls: 200_000,
  bytes: 512 * 1024 * 1024,
  // A part is masked in one turn of the event loop.
  exportBytes: 256 * 1024,
}
/** A smaller nursery: it takes some 10 MB less while it runs. */
const LIMITS = { maxYoungGenerationSizeMb: 4 }
const REST_MS = 60_000
const NOTIFY_MS = 500
const CLOSE_LIMIT_MS = 3_000
const DAY_MS = 86_400_000
/** The app has other work while it starts. */
const FIRST_PRUNE_MS = 600_000

/** The call log, on a thread of its own that runs only while calls come or somebody looks. To be closed by its owner. */
export class CallAudit {
  readonly #options: CallAuditOptions
  readonly #thread: ThreadKeeper<AuditCalls, AuditHostCalls>
  readonly #queue: CallQueue
  readonly #changed = new Emitter<void>()
  readonly #notifying = new Throttle(NOTIFY_MS, () => this.#changed.emit())
  #pruning: Disposable | undefined
  #state: ActivityState = { newest: 0, kept: 0 }
  #isClosed = false

  /** The stored calls changed; twice a second at most. */
  readonly onDidChange = this.#changed.event

  constructor(options: CallAuditOptions) {
    this.#options = options
    const { folder, createWorker, onLost, onTrouble, time, mask } = options
    this.#thread = new ThreadKeeper({
      what: 'The activity history',
      start: () =>
        createWorker({
          name: 'audit',
          workerData: { folder, bounds: BOUNDS },
          resourceLimits: LIMITS,
        }),
      hostCalls: { lost: onLost },
      restMs: options.restMs ?? REST_MS,
    })
    this.#queue = new CallQueue({
      write: async (calls) => {
        const stored = calls.map((call) => storedCall(call, mask))
        this.#update(await this.#thread.call((remote) => remote.append(stored, this.#keepFrom())))
      },
      onTrouble,
      time,
    })
    this.#pruneIn(FIRST_PRUNE_MS)
  }

  /** As far as it is known: nothing before the first call or query of this run. */
  get state(): ActivityState {
    return this.#state
  }

  /** Whether the thread runs. */
  get isAwake(): boolean {
    return this.#thread.isAwake
  }

  /** Records a call that is over; never throws and never waits. */
  record(call: NewCall): void {
    if (!this.#isClosed) this.#queue.add(call)
  }

  /** Newest first. Rejects with an AppError where calls can't be read. */
  async query(query: ActivityQuery): Promise<ActivityPage> {
    const none = { calls: [], total: 0, ...this.#state }
    const page = await this.#ask(none, (thread) => thread.page(query, this.#keepFrom()))
    const { calls, total, newest, kept } = page
    this.#update({ newest, kept })
    return { calls: calls.map((call) => shownCall(call, this.#options.mask)), total, newest }
  }

  /** How many calls there were over the last 24 h. Rejects as `query` does. */
  async counts(): Promise<ActivityCounts> {
    const now = this.#options.time.now()
    return this.#ask(emptyDay(now), (thread) => thread.counts(now))
  }

  /** A part of the calls that fit, as JSON lines, newest first. Rejects as `query` does. */
  async export(filter: CallFilter): Promise<ActivityPart> {
    const none = { text: '', count: 0 }
    const part = await this.#ask(none, (thread) => thread.export(filter, this.#keepFrom()))
    const lines = part.text
      .split('\n')
      // The thread wrote them, so each is a call.
      .map(
        (line) => line && JSON.stringify(shownCall(JSON.parse(line) as Call, this.#options.mask)),
      )
    return { ...part, text: lines.join('\n') }
  }

  /** Removes all calls, on the disk too. Rejects as `query` does. */
  async clear(): Promise<void> {
    await this.#queue.clear()
    this.#update(await this.#ask(this.#state, (thread) => thread.clear()))
  }

  /** Writes what waits, for 3 s at most, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#pruning?.[Symbol.dispose]()
    try {
      await withTimeLimit(CLOSE_LIMIT_MS, () => this.#queue.flush())
    } catch {
      // A disk that hangs must not keep the app open: what waits is lost.
    }
    for (const one of [this.#queue, this.#notifying, this.#changed]) one[Symbol.dispose]()
    await this.#thread[Symbol.asyncDispose]()
  }

  /** Asks the thread once all calls are written; `none` where no call was ever stored. */
  async #ask<T>(
    none: T,
    work: (thread: BirpcReturn<AuditCalls, AuditHostCalls>) => Promise<T>,
  ): Promise<T> {
    await this.#queue.flush()
    if (!existsSync(auditPath(this.#options.folder))) return none
    try {
      return await this.#thread.call(work)
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const hint = 'Check that the disk has space and that you can write to the profile folder.'
      const message = `The activity history can’t be used (${messageOf(cause)}).`
      throw new AppError('INTERNAL', message, { cause, hint })
    }
  }

  #pruneIn(ms: number): void {
    this.#pruning = this.#options.time.after(ms, () => {
      this.#pruneIn(DAY_MS)
      this.#ask(this.#state, (thread) => thread.append([], this.#keepFrom())).then(
        (state) => this.#update(state),
        () => undefined, // the next call, query or day tries again
      )
    })
  }

  #update(state: ActivityState): void {
    if (state.newest === this.#state.newest && state.kept === this.#state.kept) return
    this.#state = state
    this.#notifying.call()
  }

  /** Epoch ms. */
  #keepFrom(): number {
    return this.#options.time.now() - this.#options.days() * DAY_MS
  }
}

/** How long a call waits for others before they are written together, in ms; a killed app loses no more. */
const WRITE_AFTER_MS = 250
const RETRY_MS = 10_000
/** Calls that are written together, and do not wait for more. */
const BATCH = 500
/** Most calls and most bytes that wait while the disk does not take them. */
const MOST_WAITING = 20_000
const MOST_BYTES = 16 * 1024 * 1024

/** Calls that wait to be written together. A failed write is tried again; calls that exceed the bounds are dropped, and that is reported. */
export class CallQueue implements Disposable {
  readonly #write: (calls: readonly NewCall[]) => Promise<void>
  readonly #time: Timekeeper
  readonly #trouble: Trouble
  #waiting: NewCall[] = []
  #bytes = 0
  #timer: Disposable | undefined
  #writing: Promise<void> | undefined
  #isDisposed = false

  constructor(options: {
    /** Rejects where the calls could not be written. */
    readonly write: (calls: readonly NewCall[]) => Promise<void>
    readonly onTrouble: CallAuditOptions['onTrouble']
    readonly time: Timekeeper
  }) {
    this.#write = options.write
    this.#time = options.time
    this.#trouble = new Trouble(options.onTrouble)
  }

  /** Never throws and never waits. */
  add(call: NewCall): void {
    const bytes = sizeOf(call)
    if (this.#waiting.length >= MOST_WAITING || this.#bytes + bytes > MOST_BYTES) {
      this.#trouble.tell(
        'Calls arrive faster than the disk can record them. Some are missing from the history.',
      )
      return
    }
    this.#bytes += bytes
    this.#waiting.push(call)
    if (this.#waiting.length >= BATCH && !this.#trouble.isThere) void this.#writeAll()
    else this.#arm()
  }

  /** Settles when all that waits now was tried; rejects never. */
  async flush(): Promise<void> {
    await this.#writing
    if (this.#waiting.length > 0) await this.#writeAll()
  }

  /** Drops what waits; settles when none of it is on its way any more. */
  async clear(): Promise<void> {
    this.#waiting = []
    this.#bytes = 0
    await this.#writing
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#timer?.[Symbol.dispose]()
  }

  #arm(): void {
    if (this.#writing || this.#isDisposed || this.#waiting.length === 0) return
    const ms = this.#trouble.isThere ? RETRY_MS : WRITE_AFTER_MS
    this.#timer ??= this.#time.after(ms, () => void this.#writeAll())
  }

  #writeAll(): Promise<void> {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
    this.#writing ??= this.#writeBatches().finally(() => {
      this.#writing = undefined
      this.#arm()
    })
    return this.#writing
  }

  /** Calls that come meanwhile wait for the next write, unless they are many. */
  async #writeBatches(): Promise<void> {
    let left = this.#waiting.length
    try {
      do {
        const batch = this.#waiting.slice(0, BATCH)
        left -= batch.length
        await this.#write(batch)
        // Where they were cleared meanwhile, others wait in their place.
        if (this.#waiting[0] === batch[0]) {
          this.#waiting.splice(0, batch.length)
          for (const call of batch) this.#bytes -= sizeOf(call)
        }
        this.#trouble.tell(undefined)
      } while (this.#waiting.length >= (left > 0 ? 1 : BATCH))
    } catch (error) {
      this.#trouble.tell(`Calls can’t be written to disk (${messageOf(error)}).`)
    }
  }
}
