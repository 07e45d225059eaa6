import type { AppError } from '../../../../src-shared/domain/app-error'
import { toDisposable } from '../../lifecycle/disposables'
import { overdueFailure, timeoutFailure } from './request-failure'

/** How long a deadline can pause in all while its server waits for a user, in ms. */
const MAX_PAUSE_MS = 3_600_000

/** How long a request may take, in ms. */
export type RequestLimits = {
  /** Without an answer or progress. */
  readonly timeoutMs: number
  /** In all however it progresses; never less than `timeoutMs` (B3). */
  readonly maxTotalMs: number
}

/**
 * The deadline of one request: progress extends it, up to a hard limit. While the server waits for a user both pause,
 * for an hour in all at most; then the server has its whole time again until the next progress.
 */
export class RequestDeadline implements Disposable {
  readonly #endsAt: number
  #timer: NodeJS.Timeout | undefined
  #hardLimit: NodeJS.Timeout | undefined
  #pauses = 0
  #pausedAt = 0
  #pausedMs = 0
  #isOver = false

  /** `onOver` is called once, unless it is disposed before. */
  constructor(
    private readonly method: string,
    private readonly limits: RequestLimits,
    private readonly onOver: (failure: AppError) => void,
  ) {
    this.#endsAt = performance.now() + this.#maxTotalMs
    this.#arm()
  }

  /** The server reports progress. */
  progress(): void {
    if (this.#pauses > 0 || this.#isOver) return
    this.#timer?.refresh()
    this.#armHardLimit()
  }

  /** Pauses until the result is disposed. */
  pause(): Disposable {
    this.#pauses += 1
    if (this.#pauses === 1 && !this.#isOver) {
      this.#disarm()
      this.#pausedAt = performance.now()
      const left = Math.max(MAX_PAUSE_MS - this.#pausedMs, 0)
      this.#hardLimit = setTimeout(() => this.#overdue(), left)
    }
    return toDisposable(() => {
      this.#pauses -= 1
      if (this.#pauses > 0 || this.#isOver) return
      this.#pausedMs += performance.now() - this.#pausedAt
      this.#disarm()
      this.#arm()
      this.#armHardLimit()
    })
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#disarm()
  }

  get #maxTotalMs(): number {
    return Math.max(this.limits.maxTotalMs, this.limits.timeoutMs)
  }

  #arm(): void {
    const { timeoutMs } = this.limits
    this.#timer = setTimeout(() => this.#end(timeoutFailure(this.method, timeoutMs)), timeoutMs)
  }

  /** Without progress and pauses the other comes first, so most requests need no second timer. */
  #armHardLimit(): void {
    const left = Math.max(this.#endsAt + this.#pausedMs - performance.now(), 0)
    this.#hardLimit ??= setTimeout(() => this.#overdue(), left)
  }

  #overdue(): void {
    this.#end(overdueFailure(this.method, this.#maxTotalMs))
  }

  #end(failure: AppError): void {
    this[Symbol.dispose]()
    this.onOver(failure)
  }

  #disarm(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#hardLimit)
    this.#hardLimit = undefined
  }
}
