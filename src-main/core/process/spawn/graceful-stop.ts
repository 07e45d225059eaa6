import { setTimeout as delay } from 'node:timers/promises'

import type { RunningChild } from './child-process'

/** The wait of each stage, in ms. */
export type StopGrace = {
  readonly stdinMs: number
  readonly termMs: number
  readonly killMs: number
}

/** B6: 3 s after the end of stdin, 2 s after SIGTERM; a process that survives SIGKILL is given up after 1 s. */
export const DEFAULT_STOP_GRACE: StopGrace = { stdinMs: 3_000, termMs: 2_000, killMs: 1_000 }

/** Longest time for docker to remove a container whose client has ended, in ms. */
const CONTAINER_MS = 3_000

/** Poll intervals, which double; in ms. */
const FIRST_POLL_MS = 20
const MAX_POLL_MS = 160

/**
 * The staged stop of one child (MCP lifecycle, stdio shutdown): 1. end stdin and wait; 2. SIGTERM to the tree and wait; 3. SIGKILL to the
 * tree. A container named by Patchbay is stopped in the second stage and removed at the end, within the time of all three; one that docker
 * didn't answer for stays recorded. Every `stop` shares one promise; `escalate` moves to the next stage.
 */
export class GracefulStop {
  #stopping: Promise<void> | undefined
  #skipWait: (() => void) | undefined
  /** An `escalate` between two waits skips the next one. */
  #isSkipping = false

  /** `onWarning` gets a sentence about what couldn't be ended. */
  constructor(
    private readonly child: RunningChild,
    private readonly grace: StopGrace = DEFAULT_STOP_GRACE,
    private readonly onWarning: (message: string) => void = () => undefined,
  ) {}

  /**
   * Settles when no process of the tree is left, or nothing more can be done; never rejects. `spentMs`: time already waited for the exit,
   * which shortens the first wait.
   */
  stop(spentMs = 0): Promise<void> {
    this.#stopping ??= this.#run(spentMs)
    return this.#stopping
  }

  /** Ends the wait of the current stage; starts a stop if none is running. */
  escalate(): Promise<void> {
    const stopping = this.stop()
    if (this.#skipWait) this.#skipWait()
    else this.#isSkipping = true
    return stopping
  }

  async #run(spentMs: number): Promise<void> {
    const { tree, stdin, container } = this.child
    const { termMs, killMs } = this.grace
    const stdinMs = Math.max(0, this.grace.stdinMs - spentMs)
    const isAlive = (): Promise<boolean> => tree.isAlive()
    const deadline = performance.now() + stdinMs + termMs + killMs
    /** The time left until `reservedMs` before the deadline. */
    const remainingMs = (reservedMs: number): number =>
      Math.max(0, Math.ceil(deadline - reservedMs - performance.now()))
    // At least the time of the last stage, but not so long that it delays a normal stop.
    const removalMs = (): number => Math.min(CONTAINER_MS, Math.max(killMs, remainingMs(0)))
    await tree.prefetch()
    stdin.end()
    if (await this.#exitsWithin(remainingMs(termMs + killMs), isAlive))
      return this.#finish(true, removalMs())
    const abort = new AbortController()
    // The answer doesn't matter: the removal at the end shows the container's state.
    const containerStop = container?.stop(termMs + killMs, abort.signal)
    try {
      await tree.signal('SIGTERM')
      const waitMs = Math.min(termMs, remainingMs(killMs))
      if (await this.#exitsWithin(waitMs, isAlive)) {
        await this.#finish(true, removalMs())
        return
      }
      const removed = container?.remove(killMs)
      await tree.signal('SIGKILL')
      // Repeated, because a process may fork while its tree is ended.
      const isGone = await this.#exitsWithin(killMs, async () => (await tree.signal('SIGKILL')) > 0)
      await this.#finish(isGone, killMs, removed)
    } finally {
      // A hanging client must not outlive the app, which may quit next.
      abort.abort()
      await containerStop
    }
  }

  /** Removes the container after a normal exit too: the client's exit code doesn't tell whether the daemon still runs it. */
  async #finish(
    isTreeGone: boolean,
    limitMs: number,
    removal = this.child.container?.remove(limitMs),
  ): Promise<void> {
    const outcome = await removal
    if (outcome?.kind === 'failed') {
      const name = this.child.container?.name ?? ''
      this.onWarning(`The container ${name} couldn’t be removed (${outcome.reason}).`)
    }
    if (!isTreeGone) this.onWarning('Some of the server’s processes couldn’t be stopped.')
    this.child.finish({ isTreeGone, isContainerGone: outcome?.kind !== 'failed' })
  }

  async #exitsWithin(ms: number, isAlive: () => Promise<boolean>): Promise<boolean> {
    const wait = new AbortController()
    const expire = (): void => wait.abort()
    const timer = setTimeout(expire, ms)
    this.#skipWait = expire
    if (this.#isSkipping) expire()
    this.#isSkipping = false
    await Promise.race([this.child.exited, pause(ms, wait.signal)])
    // The child may exit before its descendants: only an empty tree is the end.
    let isRunning = await isAlive()
    for (let pollMs = FIRST_POLL_MS; isRunning && !wait.signal.aborted; pollMs *= 2) {
      await pause(Math.min(pollMs, MAX_POLL_MS), wait.signal)
      isRunning = await isAlive()
    }
    clearTimeout(timer)
    expire()
    this.#skipWait = undefined
    return !isRunning
  }
}

/** Waits `ms`, or until `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined) // aborted
}
