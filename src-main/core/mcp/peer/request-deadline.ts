import type { AppError } from '../../../../src-shared/domain/app-error'
import { toDisposable } from '../../lifecycle/disposables'
import { overdueFailure, timeoutFailure } from './request-failure'

const MAX_PAUSE_MS = 3_600_000

export type RequestLimits = {
  readonly timeoutMs: number
  /** In all however it progresses; never less than `timeoutMs` (B3). */
  readonly maxTotalMs: number
}

/**
 * The deadline of one request: progress extends it, up to a hard limit. While the server waits for a user both pause,
 * for an hour in all at most; then the server has its whole time again until the next progress.
 */
export class RequestDeadline implements Disposable {
  #endsAt: number
  #timer: NodeJS.Timeout | undefined
  #pauses = 0
  #pausedAt = 0
  #pausedMs = 0
  #isOver = false

  constructor(
    private readonly method: string,
    private readonly limits: RequestLimits,
    private readonly onOver: (failure: AppError) => void,
  ) {
    this.#endsAt = performance.now() + limits.maxTotalMs
    this.#set(limits.timeoutMs, false)
  }

  progress(): void {
    if (this.#pauses > 0 || this.#isOver) return
    const leftMs = this.#endsAt - performance.now()
    this.#set(Math.min(leftMs, this.limits.timeoutMs), leftMs < this.limits.timeoutMs)
  }

  /** Pauses until the result is disposed. */
  pause(): Disposable {
    this.#pauses += 1
    if (this.#pauses === 1 && !this.#isOver) {
      this.#pausedAt = performance.now()
      this.#set(Math.max(MAX_PAUSE_MS - this.#pausedMs, 0), true)
    }
    return toDisposable(() => {
      this.#pauses -= 1
      if (this.#pauses > 0 || this.#isOver) return
      const pausedMs = performance.now() - this.#pausedAt
      this.#pausedMs += pausedMs
      this.#endsAt += pausedMs
      this.progress()
    })
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #set(ms: number, isLimit: boolean): void {
    const { timeoutMs, maxTotalMs } = this.limits
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this[Symbol.dispose]()
      const failure = isLimit
        ? overdueFailure(this.method, maxTotalMs)
        : timeoutFailure(this.method, timeoutMs)
      this.onOver(failure)
    }, ms)
  }
}
