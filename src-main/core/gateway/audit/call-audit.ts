import { existsSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
import type { Timekeeper } from '../../ports'
import type { AuditCalls, AuditHostCalls, AuditThreadOptions } from './audit-calls'
import { type AuditLoss, auditPath } from './audit-file'
import type { NewCall } from './audit-row'
import type { AuditBounds } from './audit-store'
import type { CallFilter } from './audit-where'
import { CallQueue } from './call-queue'
import { lastDay, noCounts } from './count-calls'
import { type CallMask, keptCall, shownCall } from './kept-call'

export type CallAuditOptions = {
  /** Absolute path of the folder of `activity.db`; made with the first call. */
  readonly folder: string
  /** Starts the thread whose entry is `audit-thread.ts`. */
  readonly createWorker: (options: WorkerOptions) => Worker
  /** Masks what is known as a secret when a call is kept. */
  readonly mask: CallMask
  /** Masks what is known as a secret when a call is shown; as `mask` where it is missing. */
  readonly maskShown?: CallMask | undefined
  /** How many days calls are kept. */
  readonly days: () => number
  /** Calls are not written: a sentence, once; undefined as soon as they are again. */
  readonly onTrouble: (message: string | undefined) => void
  /** What was kept before is gone. */
  readonly onLost: (loss: AuditLoss) => void
  readonly time: Timekeeper
  readonly bounds?: Partial<AuditBounds>
  /** How long nobody calls or asks before the thread ends and gives its memory back, in ms. */
  readonly restMs?: number
}

const BOUNDS: AuditBounds = {
  calls: 200_000,
  bytes: 512 * 1024 * 1024,
  exportBytes: 1024 * 1024,
}
/** A smaller nursery: it takes some 10 MB less while it runs. */
const LIMITS = { maxYoungGenerationSizeMb: 4 }
const REST_MS = 60_000
const TELL_MS = 500
const CLOSE_LIMIT_MS = 3_000
const DAY_MS = 86_400_000
/** When calls that are too old are looked for first: the app has other work while it starts. */
const FIRST_PRUNE_MS = 600_000

/** Remembers what agents called, on a thread of its own that runs only while calls come or somebody looks. To be closed by its owner. */
export class CallAudit {
  readonly #options: CallAuditOptions
  readonly #thread: ThreadKeeper<AuditCalls, AuditHostCalls>
  readonly #queue: CallQueue
  readonly #changed = new Emitter<void>()
  readonly #telling = new Throttle(TELL_MS, () => this.#changed.emit())
  #pruning: Disposable | undefined
  #state: ActivityState = { newest: 0, kept: 0 }
  #isClosed = false

  /** What is kept changed; twice a second at most. */
  readonly onDidChange = this.#changed.event

  constructor(options: CallAuditOptions) {
    this.#options = options
    const { folder, createWorker, onLost, onTrouble, time, mask } = options
    const workerData: AuditThreadOptions = { folder, bounds: { ...BOUNDS, ...options.bounds } }
    this.#thread = new ThreadKeeper({
      what: 'The activity history',
      start: () => createWorker({ name: 'audit', workerData, resourceLimits: LIMITS }),
      hostCalls: { lost: onLost },
      restMs: options.restMs ?? REST_MS,
    })
    const write = async (calls: readonly NewCall[]): Promise<void> => {
      const kept = calls.map((call) => keptCall(call, mask))
      this.#know(await this.#thread.call((remote) => remote.append(kept, this.#keepFrom())))
    }
    this.#queue = new CallQueue({ write, onTrouble, time })
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

  /** Takes note of a call that is over; never throws and never waits. */
  record(call: NewCall): void {
    if (!this.#isClosed) this.#queue.add(call)
  }

  /** Newest first. Rejects with an AppError where they cannot be read. */
  async query(query: ActivityQuery): Promise<ActivityPage> {
    await this.#queue.flush()
    if (!this.#hasFile()) return { calls: [], total: 0, newest: 0 }
    const { state, ...page } = await this.#ask((thread) => thread.page(query, this.#keepFrom()))
    this.#know(state)
    return { ...page, calls: page.calls.map((call) => shownCall(call, this.#maskShown)) }
  }

  /** How many calls there were over the last 24 h. Rejects as `query` does. */
  async counts(): Promise<ActivityCounts> {
    await this.#queue.flush()
    const span = lastDay(this.#options.time.now())
    return this.#hasFile() ? await this.#ask((thread) => thread.counts(span)) : noCounts(span)
  }

  /** A part of the calls that fit, as JSON lines, newest first. Rejects as `query` does. */
  async export(filter: CallFilter): Promise<ActivityPart> {
    await this.#queue.flush()
    if (!this.#hasFile()) return { text: '', count: 0 }
    const part = await this.#ask((thread) => thread.export(filter, this.#keepFrom()))
    return { ...part, text: await maskedLines(part.text, this.#maskShown) }
  }

  /** Forgets all calls, on the disk too. Rejects as `query` does. */
  async clear(): Promise<void> {
    await this.#queue.clear()
    if (this.#hasFile()) this.#know(await this.#ask((thread) => thread.clear()))
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
    for (const one of [this.#queue, this.#telling, this.#changed]) one[Symbol.dispose]()
    await this.#thread[Symbol.asyncDispose]()
  }

  get #maskShown(): CallMask {
    return this.#options.maskShown ?? this.#options.mask
  }

  async #ask<T>(work: (thread: BirpcReturn<AuditCalls, AuditHostCalls>) => Promise<T>): Promise<T> {
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
      if (this.#hasFile()) void this.#prune()
    })
  }

  async #prune(): Promise<void> {
    try {
      this.#know(await this.#thread.call((remote) => remote.prune(this.#keepFrom())))
    } catch {
      // The next call, query or day tries again.
    }
  }

  #hasFile(): boolean {
    return existsSync(auditPath(this.#options.folder))
  }

  #know(state: ActivityState): void {
    if (state.newest === this.#state.newest && state.kept === this.#state.kept) return
    this.#state = state
    this.#telling.call()
  }

  /** Epoch ms. */
  #keepFrom(): number {
    return this.#options.time.now() - this.#options.days() * DAY_MS
  }
}

/** Calls that are masked in one turn of the event loop. */
const IN_A_TURN = 500

/** Calls as JSON lines, masked as they are shown; an export is long, and agents go on meanwhile. */
async function maskedLines(text: string, mask: CallMask): Promise<string> {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += IN_A_TURN) {
    for (let index = at; index < Math.min(at + IN_A_TURN, lines.length); index += 1) {
      const { [index]: line = '' } = lines
      // The thread wrote them, so each is a call.
      if (line !== '') lines[index] = JSON.stringify(shownCall(JSON.parse(line) as Call, mask))
    }
    await nextTurn()
  }
  return lines.join('\n')
}
