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

/** Masks the secrets of a call's server in a text; those of all servers if the server is unknown. */
type CallMask = (text: string, installationId: string | undefined) => string

export type CallAuditOptions = {
  /** Absolute path of the folder of `activity.db`, which the first call creates. */
  readonly folder: string
  readonly createWorker: (options: WorkerOptions) => Worker
  readonly mask: CallMask
  readonly days: () => number
  /** The file is unusable and is replaced. */
  readonly onLost: (loss: AuditLoss) => void
  /** Calls can't be written. Gets a sentence, once, and undefined as soon as they can. */
  readonly onProblem: (message: string | undefined) => void
  readonly time: Timekeeper
}

/** Smaller young generation: saves some 10 MB while the thread runs. */
const LIMITS = { maxYoungGenerationSizeMb: 4 }
/** Idle time after which the thread ends and frees its memory, in ms. */
const IDLE_MS = 60_000
const NOTIFY_MS = 500
const CLOSE_LIMIT_MS = 3_000
const DAY_MS = 86_400_000
/** The app has other work during startup. */
const FIRST_PRUNE_MS = 600_000
/** Delay in which calls are collected for one write, in ms; a killed app loses at most these. */
const WRITE_AFTER_MS = 250
const RETRY_MS = 10_000
const BATCH = 500
/** Limits of pending calls while the disk fails. */
const MAX_WAITING = 20_000
const MAX_BYTES = 16 * 1024 * 1024
/** Calls per part of an export; each part is masked in one turn of the event loop. */
const PART = 200
/** Maximum length of each stored text, in UTF-16 units. */
const LONGEST = { target: 1_000, message: 2_000, arguments: 8_000 } as const
const CUT = '…'
/** Text beyond this isn't searched for secrets; it is cut far earlier. */
const MAX_MASKED_LENGTH = 65_536

/** The call log, on its own thread that runs only for calls and queries. The owner has to close it. */
export class CallAudit {
  readonly #thread: ThreadKeeper<AuditCalls>
  readonly #latch: ErrorLatch
  readonly #changed = new Emitter<void>()
  readonly #notifying = new Throttle(NOTIFY_MS, () => this.#changed.emit())
  #pending: NewCall[] = []
  #bytes = 0
  #timer: Disposable | undefined
  #writing: Promise<void> | undefined
  #pruning: Disposable | undefined
  #state: ActivityState = { newest: 0, kept: 0 }
  #isClosed = false

  /** Fires when the stored calls changed, at most twice a second. */
  readonly onDidChange = this.#changed.event

  constructor(private readonly options: CallAuditOptions) {
    const { folder, createWorker, onLost, onProblem } = options
    this.#latch = new ErrorLatch(onProblem)
    this.#thread = new ThreadKeeper({
      what: 'The activity history',
      start: () => createWorker({ name: 'audit', workerData: { folder }, resourceLimits: LIMITS }),
      hostCalls: { lost: onLost } satisfies AuditHostCalls,
      idleMs: IDLE_MS,
    })
    this.#pruneIn(FIRST_PRUNE_MS)
  }

  /** The last known state; empty before the first call or query of this run. */
  get state(): ActivityState {
    return this.#state
  }

  /** Records a finished call; never throws or waits. */
  record(call: NewCall): void {
    if (this.#isClosed) return
    const bytes = sizeOf(call)
    if (this.#pending.length >= MAX_WAITING || this.#bytes + bytes > MAX_BYTES) {
      this.#latch.set(
        'Calls arrive faster than the disk can record them. Some are missing from the history.',
      )
      return
    }
    this.#bytes += bytes
    this.#pending.push(call)
    if (this.#pending.length >= BATCH && !this.#latch.isThere)
      background(this.#write(), 'writing the call log')
    else this.#scheduleWrite()
  }

  /** Returns calls, newest first. Rejects with an AppError if calls can't be read. */
  async query(query: ActivityQuery): Promise<ActivityPage> {
    const none = { calls: [], total: 0, ...this.#state }
    const page = await this.#query(none, (thread) => thread.page(query, this.#retentionStart()))
    const { calls, total, newest, kept } = page
    this.#update({ newest, kept })
    return { calls: calls.map((call) => this.#shown(call)), total, newest }
  }

  /** Returns the number of calls over the last 24 h. Rejects as `query` does. */
  async counts(): Promise<ActivityCounts> {
    const now = this.options.time.now()
    return this.#query(emptyDay(now), (thread) => thread.counts(now))
  }

  /** Returns a part of the matching calls as JSON lines, newest first. Rejects as `query` does. */
  async export(filter: CallFilter): Promise<ActivityPart> {
    const query = { ...filter, limit: PART }
    const calls = await this.#query([], (thread) => thread.calls(query, this.#retentionStart()))
    const text = calls.map((call) => `${JSON.stringify(this.#shown(call))}\n`).join('')
    const next = calls.length === PART ? calls.at(-1)?.callId : undefined
    return { text, count: calls.length, ...(next !== undefined && { next }) }
  }

  /** Removes all calls, on the disk too. Rejects as `query` does. */
  async clear(): Promise<void> {
    this.#pending = []
    this.#bytes = 0
    await this.#writing
    this.#update(await this.#query(this.#state, (thread) => thread.clear()))
  }

  /** Writes pending calls for at most 3 s, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#pruning?.[Symbol.dispose]()
    // A hanging disk must not keep the app open; pending calls are lost then.
    await withTimeLimit(CLOSE_LIMIT_MS, () => this.#flush()).catch(() => undefined)
    this.#timer?.[Symbol.dispose]()
    for (const one of [this.#notifying, this.#changed]) one[Symbol.dispose]()
    await this.#thread[Symbol.asyncDispose]()
  }

  /** Queries the thread once all calls are written; returns `none` if no call was ever stored. */
  async #query<T>(none: T, operation: (thread: Remote<AuditCalls>) => Promise<T>): Promise<T> {
    await this.#flush()
    if (!existsSync(auditPath(this.options.folder))) return none
    try {
      return await this.#thread.call(operation)
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const hint = 'Check that the disk has space and that you can write to the profile folder.'
      const message = `The activity history can’t be used (${messageOf(cause)}).`
      throw new AppError('INTERNAL', message, { cause, hint })
    }
  }

  /** Settles when all pending calls were tried; never rejects. */
  async #flush(): Promise<void> {
    await this.#writing
    if (this.#pending.length > 0) await this.#write()
  }

  #scheduleWrite(): void {
    if (this.#writing || this.#isClosed || this.#pending.length === 0) return
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
      this.#scheduleWrite()
    })
    return this.#writing
  }

  /** Calls that arrive meanwhile wait for the next write unless there are many. Failed writes are retried. */
  async #writeBatches(): Promise<void> {
    let remaining = this.#pending.length
    try {
      do {
        const batch = this.#pending.slice(0, BATCH)
        remaining -= batch.length
        const stored = batch.map((call) => storedCall(call, this.options.mask))
        this.#update(
          await this.#thread.call((thread) => thread.append(stored, this.#retentionStart())),
        )
        // If the calls were cleared meanwhile, others are in their place.
        if (this.#pending[0] === batch[0]) {
          this.#pending.splice(0, batch.length)
          for (const call of batch) this.#bytes -= sizeOf(call)
        }
        this.#latch.set(undefined)
      } while (this.#pending.length >= (remaining > 0 ? 1 : BATCH))
    } catch (error) {
      this.#latch.set(`Calls can’t be written to disk (${messageOf(error)}).`)
    }
  }

  #pruneIn(ms: number): void {
    this.#pruning = this.options.time.after(ms, () => {
      this.#pruneIn(DAY_MS)
      this.#query(this.#state, (thread) => thread.append([], this.#retentionStart())).then(
        (state) => this.#update(state),
        () => undefined, // The next call, query or day retries.
      )
    })
  }

  #update(state: ActivityState): void {
    if (state.newest === this.#state.newest && state.kept === this.#state.kept) return
    this.#state = state
    this.#notifying.call()
  }

  #retentionStart(): number {
    return this.options.time.now() - this.options.days() * DAY_MS
  }

  /** Returns a call as it is shown: secrets that became known after storing are masked too. */
  #shown(call: Call): Call {
    const shown = (text: string): string => {
      // A mask recognizes a cut secret only at the end of a text.
      const isCut = text.endsWith(CUT)
      const uncut = isCut ? text.slice(0, -CUT.length) : text
      return this.options.mask(uncut, call.installationId) + (isCut ? CUT : '')
    }
    return withTexts(call, shown)
  }
}

/** Returns a call as it is stored: secrets are masked first, then texts are cut. */
function storedCall(call: NewCall, mask: CallMask): NewCall {
  return withTexts(call, (text, maxLength) => {
    const masked = mask(text.slice(0, MAX_MASKED_LENGTH), call.installationId)
    return masked.length > maxLength ? masked.slice(0, maxLength) + CUT : masked
  })
}

/** Maps the texts of a call; `maxLength` is the stored maximum of each. */
function withTexts<T extends NewCall>(
  call: T,
  map: (text: string, maxLength: number) => string,
): T {
  const { target, message, arguments: args } = call
  return {
    ...call,
    target: map(target, LONGEST.target),
    message: message && map(message, LONGEST.message),
    arguments: args && map(args, LONGEST.arguments),
  }
}

/** Estimates the memory of a pending call, in bytes. */
function sizeOf({ target, message = '', arguments: args = '' }: NewCall): number {
  return 400 + 2 * Math.min(target.length + message.length + args.length, MAX_MASKED_LENGTH)
}
