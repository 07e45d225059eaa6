import type { AppError } from '../../../../src-shared/domain/app-error'
import { exitError } from '../../failure/describe-failure'
import type { ChildExit, RunningChild, Traffic } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop, type StopGrace } from '../../process/spawn/graceful-stop'
import type { ProcessTree } from '../../process/tree/process-tree'
import type { EraDoubt, SessionLine } from '../connection/session-line'
import type { RemoteLine } from './remote-line'

/** It reads no stdin whose end could tell it, so that what is waited for there is given to SIGTERM. */
const GRACE: StopGrace = {
  ...DEFAULT_STOP_GRACE,
  stdinMs: 0,
  termMs: DEFAULT_STOP_GRACE.stdinMs + DEFAULT_STOP_GRACE.termMs,
}

export type ServedLineOptions = {
  /** Whatever the child writes to its stdout: this one speaks elsewhere. */
  readonly onOutput: (chunk: Buffer) => void
  readonly onWarning: (message: string) => void
}

/** A child that serves HTTP on this computer, and the connection to it: the two live and end together. */
export class ServedLine implements SessionLine {
  readonly isAlone = true
  readonly transport: RemoteLine['transport']
  readonly ended: Promise<void>
  readonly #child: RunningChild
  readonly #remote: RemoteLine
  readonly #end: GracefulStop
  #exit: ChildExit | undefined
  #stopping: Promise<void> | undefined

  constructor(child: RunningChild, remote: RemoteLine, options: ServedLineOptions) {
    this.#child = child
    this.#remote = remote
    this.#end = new GracefulStop(child, GRACE, options.onWarning)
    this.transport = remote.transport
    child.stdout.on('data', options.onOutput)
    this.ended = this.#closeWithChild()
  }

  get pid(): number {
    return this.#child.pid
  }

  get tree(): ProcessTree {
    return this.#child.tree
  }

  get exit(): ChildExit | undefined {
    return this.#exit
  }

  get heardAt(): number {
    return this.#remote.heardAt
  }

  get traffic(): Traffic {
    return this.#remote.traffic
  }

  get eraDoubt(): EraDoubt | undefined {
    return this.#remote.eraDoubt
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  escalate(): void {
    this.#remote.escalate()
    void this.#end.escalate()
  }

  endReason(when: string): AppError {
    return this.#exit ? exitError(this.#exit, when) : this.#remote.endReason(when)
  }

  explain(error: unknown): AppError | undefined {
    return this.#exit ? exitError(this.#exit, 'while it was in use') : this.#remote.explain(error)
  }

  async #stop(): Promise<void> {
    // The end of its session may be what it hangs on.
    await Promise.all([this.#remote.stop(), this.#end.stop()])
  }

  async #closeWithChild(): Promise<void> {
    this.#exit = await this.#child.exited
    await this.#child.drainStderr()
    await this.transport.close()
  }
}
