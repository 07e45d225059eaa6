import type { RunningChild } from './child-process'
import { isTreeAlive, signalTree } from './kill-tree'

/** How long each step of a stop waits, in ms. */
export type StopGrace = {
  readonly stdinMs: number
  readonly termMs: number
  readonly killMs: number
}

/** B6: 3 s after the end of stdin, 2 s after SIGTERM; what survives SIGKILL is given up after 1 s. */
export const DEFAULT_STOP_GRACE: StopGrace = { stdinMs: 3_000, termMs: 2_000, killMs: 1_000 }

/** A look at the whole group reads the process table, so it is taken less and less often; in ms. */
const FIRST_POLL_MS = 20
const LONGEST_POLL_MS = 160

/**
 * The staged stop of one child (MCP lifecycle, stdio shutdown):
 * 1. end stdin and wait;
 * 2. SIGTERM to the whole tree and wait;
 * 3. SIGKILL to the whole tree.
 * Every `stop` shares one promise; `escalate` goes to the next step at once.
 */
export class GracefulStop {
  #stopping: Promise<void> | undefined
  #skipWait: (() => void) | undefined

  constructor(
    private readonly child: RunningChild,
    private readonly grace: StopGrace = DEFAULT_STOP_GRACE,
  ) {}

  /** Settles when no process of the tree is left, or nothing more can be done; never rejects. */
  stop(): Promise<void> {
    this.#stopping ??= this.#run()
    return this.#stopping
  }

  /** Ends the wait of the current step; without a stop under way it starts one. */
  escalate(): Promise<void> {
    const stopping = this.stop()
    this.#skipWait?.()
    return stopping
  }

  async #run(): Promise<void> {
    const { pid, stdin } = this.child
    stdin.end()
    if (await this.#goneWithin(this.grace.stdinMs)) return
    signalTree(pid, 'SIGTERM')
    if (await this.#goneWithin(this.grace.termMs)) return
    signalTree(pid, 'SIGKILL')
    await this.#goneWithin(this.grace.killMs)
  }

  async #goneWithin(ms: number): Promise<boolean> {
    const { pid, exited } = this.child
    const wait = new AbortController()
    const expire = (): void => wait.abort()
    const limit = new Promise<void>((resolve) => {
      wait.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const timer = setTimeout(expire, ms)
    this.#skipWait = expire
    await Promise.race([exited, limit])
    // The leader may be gone before what it started: only an empty group is the end.
    let pollMs = FIRST_POLL_MS
    while (!wait.signal.aborted && isTreeAlive(pid)) {
      const poll = new Promise((resolve) => setTimeout(resolve, pollMs))
      await Promise.race([limit, poll])
      pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)
    }
    clearTimeout(timer)
    this.#skipWait = undefined
    return !isTreeAlive(pid)
  }
}
