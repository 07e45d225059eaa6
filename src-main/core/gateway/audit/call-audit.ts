import { existsSync } from 'node:fs'
import type { Worker, WorkerOptions } from 'node:worker_threads'

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
import { ErrorLatch } from '../../failure/error-latch'
import { background } from '../../lifecycle/background'
import { Emitter } from '../../lifecycle/emitter'
import type { Remote } from '../../lifecycle/thread-ends'
import { ThreadKeeper } from '../../lifecycle/thread-keeper'
import { Throttle } from '../../lifecycle/throttle'
import { withTimeLimit } from '../../lifecycle/time-limit'
import type { Timekeeper } from '../../ports'
import { type AuditLoss, auditPath, emptyDay, type NewCall } from './audit-call'
import type { CallFilter } from './audit-store'
import type { AuditCalls, AuditHostCalls } from './audit-thread'

/** Masks the secrets of a call's server in a text; of an unknown server those of all. */
type CallMask = (text: string, installationId: string | undefined) => string

export type CallAuditOptions = {
  /** Absolute path of the folder of `activity.db`; made with the first call. */
  readonly folder: string
  readonly createWorker: (options: WorkerOptions) => Worker
  readonly mask: CallMask
  readonly days: () => number
  /** The file can't be used and is replaced. */
  readonly onLost: (loss: AuditLoss) => void
  /** Calls can't be written: a sentence, once; undefined once they can. */
  readonly onProblem: (message: string | undefined) => void
  readonly time: Timekeeper
}

/** A smaller nursery: it takes some 10 MB less while it runs. */
const LIMITS = { maxYoungGenerationSizeMb: 4 }
/** The time without a call or a query after which the thread ends and gives its memory back. */
const REST_MS = 60_000
const NOTIFY_MS = 500
const CLOSE_LIMIT_MS = 3_000
const DAY_MS = 86_400_000
/** The app has other work while it starts. */
const FIRST_PRUNE_MS = 600_000
/** How long a call waits for others before they are written together, in ms; a killed app loses no more. */
const WRITE_AFTER_MS = 250
const RETRY_MS = 10_000
const BATCH = 500
/** Calls and bytes that wait while the disk does not take them. */
const MOST_WAITING = 20_000
const MOST_BYTES = 16 * 1024 * 1024
/** Calls of one part of an export: a part is masked in one turn of the event loop. */
const PART = 200
/** The longest of each text that is stored, in UTF-16 units. */
const LONGEST = { target: 1_000, message: 2_000, arguments: 8_000 } as const
const CUT = '…'
/** Text beyond this is not searched for secrets; the cut lies far before it. */
const LONGEST_MASKED = 65_536

/** The call log, on a thread of its own that runs only while calls come or somebody looks. To be closed by its owner. */
export class CallAudit {
  readonly #thread: ThreadKeeper<AuditCalls>
  readonly #latch: ErrorLatch
  readonly #changed = new Emitter<void>()
  readonly #notifying = new Throttle(NOTIFY_MS, () => this.#changed.emit())
  #waiting: NewCall[] = []
  #bytes = 0
  #timer: Disposable | undefined
  #writing: Promise<void> | undefined
  #pruning: Disposable | undefined
  #state: ActivityState = { newest: 0, kept: 0 }
  #isClosed = false

  /** The stored calls changed; twice a second at most. */
  readonly onDidChange = this.#changed.event

  constructor(private readonly options: CallAuditOptions) {
    const { folder, createWorker, onLost, onProblem } = options
    this.#latch = new ErrorLatch(onProblem)
    this.#thread = new ThreadKeeper({
      what: 'The activity history',
      start: () => createWorker({ name: 'audit', workerData: { folder }, resourceLimits: LIMITS }),
      hostCalls: { lost: onLost } satisfies AuditHostCalls,
      restMs: REST_MS,
    })
    this.#pruneIn(FIRST_PRUNE_MS)
  }

  /** As far as it is known: nothing before the first call or query of this run. */
  get state(): ActivityState {
    return this.#state
  }

  /** Records a call that is over; never throws and never waits. */
  record(call: NewCall): void {
    if (this.#isClosed) return
    const bytes = sizeOf(call)
    if (this.#waiting.length >= MOST_WAITING || this.#bytes + bytes > MOST_BYTES) {
      this.#latch.set(
        'Calls arrive faster than the disk can record them. Some are missing from the history.',
      )
      return
    }
    this.#bytes += bytes
    this.#waiting.push(call)
    if (this.#waiting.length >= BATCH && !this.#latch.isThere)
      background(this.#write(), 'writing the call log')
    else this.#writeLater()
  }

  /** Newest first. Rejects with an AppError where calls can't be read. */
  async query(query: ActivityQuery): Promise<ActivityPage> {
    const none = { calls: [], total: 0, ...this.#state }
    const page = await this.#ask(none, (thread) => thread.page(query, this.#keepFrom()))
    const { calls, total, newest, kept } = page
    this.#update({ newest, kept })
    return { calls: calls.map((call) => this.#shown(call)), total, newest }
  }

  /** How many calls there were over the last 24 h. Rejects as `query` does. */
  async counts(): Promise<ActivityCounts> {
    const now = this.options.time.now()
    return this.#ask(emptyDay(now), (thread) => thread.counts(now))
  }

  /** A part of the calls that fit, as JSON lines, newest first. Rejects as `query` does. */
  async export(filter: CallFilter): Promise<ActivityPart> {
    const query = { ...filter, limit: PART }
    const calls = await this.#ask([], (thread) => thread.calls(query, this.#keepFrom()))
    const text = calls.map((call) => `${JSON.stringify(this.#shown(call))}\n`).join('')
    const next = calls.length === PART ? calls.at(-1)?.callId : undefined
    return { text, count: calls.length, ...(next !== undefined && { next }) }
  }

  /** Removes all calls, on the disk too. Rejects as `query` does. */
  async clear(): Promise<void> {
    this.#waiting = []
    this.#bytes = 0
    await this.#writing
    this.#update(await this.#ask(this.#state, (thread) => thread.clear()))
  }

  /** Writes what waits, for 3 s at most, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#pruning?.[Symbol.dispose]()
    // A disk that hangs must not keep the app open: what waits is lost.
    await withTimeLimit(CLOSE_LIMIT_MS, () => this.#flush()).catch(() => undefined)
    this.#timer?.[Symbol.dispose]()
    for (const one of [this.#notifying, this.#changed]) one[Symbol.dispose]()
    await this.#thread[Symbol.asyncDispose]()
  }

  /** Asks the thread once all calls are written; `none` where no call was ever stored. */
  async #ask<T>(none: T, work: (thread: Remote<AuditCalls>) => Promise<T>): Promise<T> {
    await this.#flush()
    if (!existsSync(auditPath(this.options.folder))) return none
    try {
      return await this.#thread.call(work)
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const hint = 'Check that the disk has space and that you can write to the profile folder.'
      const message = `The activity history can’t be used (${messageOf(cause)}).`
      throw new AppError('INTERNAL', message, { cause, hint })
    }
  }

  /** Settles when all that waits now was tried; rejects never. */
  async #flush(): Promise<void> {
    await this.#writing
    if (this.#waiting.length > 0) await this.#write()
  }

  #writeLater(): void {
    if (this.#writing || this.#isClosed || this.#waiting.length === 0) return
    const ms = this.#latch.isThere ? RETRY_MS : WRITE_AFTER_MS
    this.#timer ??= this.options.time.after(ms, () =>
      background(this.#write(), 'writing the call log'),
    )
  }

  #write(): Promise<void> {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
    this.#writing ??= this.#writeBatches().finally(() => {
      this.#writing = undefined
      this.#writeLater()
    })
    return this.#writing
  }

  /** Calls that come meanwhile wait for the next write, unless they are many. What can't be written is tried again. */
  async #writeBatches(): Promise<void> {
    let left = this.#waiting.length
    try {
      do {
        const batch = this.#waiting.slice(0, BATCH)
        left -= batch.length
        const stored = batch.map((call) => storedCall(call, this.options.mask))
        this.#update(await this.#thread.call((thread) => thread.append(stored, this.#keepFrom())))
        // Where they were cleared meanwhile, others wait in their place.
        if (this.#waiting[0] === batch[0]) {
          this.#waiting.splice(0, batch.length)
          for (const call of batch) this.#bytes -= sizeOf(call)
        }
        this.#latch.set(undefined)
      } while (this.#waiting.length >= (left > 0 ? 1 : BATCH))
    } catch (error) {
      this.#latch.set(`Calls can’t be written to disk (${messageOf(error)}).`)
    }
  }

  #pruneIn(ms: number): void {
    this.#pruning = this.options.time.after(ms, () => {
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

  #keepFrom(): number {
    return this.options.time.now() - this.options.days() * DAY_MS
  }

  /** A call as it is shown: secrets that became known since it was stored are masked too. */
  #shown(call: Call): Call {
    const shown = (text: string): string => {
      // A mask recognizes a secret that was cut only at the end of a text.
      const isCut = text.endsWith(CUT)
      const whole = isCut ? text.slice(0, -CUT.length) : text
      return this.options.mask(whole, call.installationId) + (isCut ? CUT : '')
    }
    return withTexts(call, shown)
  }
}

/** A call as it is stored: secrets masked first, then cut. */
function storedCall(call: NewCall, mask: CallMask): NewCall {
  return withTexts(call, (text, longest) => {
    const masked = mask(text.slice(0, LONGEST_MASKED), call.installationId)
    return masked.length > longest ? masked.slice(0, longest) + CUT : masked
  })
}

/** A call with other texts; `longest` is what is stored of each. */
function withTexts<T extends NewCall>(call: T, map: (text: string, longest: number) => string): T {
  const { target, message, arguments: args } = call
  return {
    ...call,
    target: map(target, LONGEST.target),
    message: message && map(message, LONGEST.message),
    arguments: args && map(args, LONGEST.arguments),
  }
}

/** The memory that a call takes while it waits, in bytes, roughly. */
function sizeOf({ target, message = '', arguments: args = '' }: NewCall): number {
  return 400 + 2 * Math.min(target.length + message.length + args.length, LONGEST_MASKED)
}
