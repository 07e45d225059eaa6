import { type ChildProcess, spawn } from 'node:child_process'

import type { Harness } from '../../e2e/fixtures/harness'
import { MARK } from './ten-servers'

/** Leaks that can be planted, to prove that a soak finds them. */
export const LEAKS = ['timer', 'listener', 'array', 'process', 'session'] as const
export type Leak = (typeof LEAKS)[number]

const ARRAY_LENGTH = 100_000

/** Leaks a little at each call on purpose; `dispose` releases everything. */
export class Plant implements Disposable {
  readonly #kept: unknown[] = []
  readonly #timers: NodeJS.Timeout[] = []
  readonly #children: ChildProcess[] = []
  readonly #listeners: (() => void)[] = []

  constructor(
    private readonly leaks: readonly Leak[],
    private readonly mark: string,
  ) {}

  /** Retains Ready sessions. */
  watch(harness: Harness): void {
    if (!this.leaks.includes('session')) return
    harness.patchbay.onEvent((event) => {
      if (event.channel !== 'server.changed' || event.payload.server.status.kind !== 'ready') return
      this.#kept.push(harness.session(event.payload.server.installationId))
    })
  }

  leak(): void {
    if (this.leaks.includes('timer')) this.#timers.push(setInterval(() => undefined, 60_000))
    if (this.leaks.includes('array')) this.#kept.push(new Array(ARRAY_LENGTH).fill(0.5))
    if (this.leaks.includes('process')) this.#children.push(this.#startChild())
    if (this.leaks.includes('listener')) {
      const listener = (): void => undefined
      this.#listeners.push(listener)
      process.on('exit', listener)
    }
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer)
    for (const child of this.#children) child.kill('SIGKILL')
    for (const listener of this.#listeners) process.off('exit', listener)
    this.#kept.length = 0
  }

  #startChild(): ChildProcess {
    const env = { ...process.env, [MARK]: this.mark }
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'], {
      env,
      stdio: 'ignore',
    })
    child.unref()
    return child
  }
}
