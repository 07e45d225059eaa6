import type { AppError } from '../../../../src-shared/domain/app-error'
import { exitError } from '../../failure/describe-failure'
import type { ChildExit, RunningChild, Traffic } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop } from '../../process/spawn/graceful-stop'
import type { ProcessTree } from '../../process/tree/process-tree'
import type { SessionLine } from '../connection/session-line'
import type { OwnRequests } from '../messages/own-requests'
import { within } from '../peer/within'
import { StdioTransport, type StdioTransportOptions } from './stdio-transport'

/** How long the exit of a child whose pipes are closed is waited for, in ms: a busy computer takes its time, and one that lives on is told apart by this. */
const EXIT_MS = 2_000

export type ChildLineOptions = Omit<StdioTransportOptions, 'stop'> & {
  readonly onWarning: (message: string) => void
}

/** The pipes of a child: they and its whole process tree live and end together. */
export class ChildLine implements SessionLine {
  readonly isAlone = false
  readonly eraDoubt = undefined
  readonly transport: StdioTransport
  readonly ended: Promise<void>
  readonly #child: RunningChild
  readonly #stop: GracefulStop
  #exit: ChildExit | undefined
  /** The one wait for it, whoever asks. */
  #exitMoment: Promise<void> | undefined
  #isStopping = false
  #hasExitedByItself = false

  constructor(child: RunningChild, options: ChildLineOptions) {
    this.#child = child
    this.#stop = new GracefulStop(child, DEFAULT_STOP_GRACE, options.onWarning)
    this.transport = new StdioTransport(child, { ...options, stop: () => this.stop() })
    void child.exited.then((exit) => {
      this.#exit = exit
      this.#hasExitedByItself = !this.#isStopping
    })
    this.ended = new Promise((resolve) => void child.stdout.once('close', () => resolve()))
  }

  get own(): OwnRequests {
    return this.transport.own
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
    return this.transport.heardAt
  }

  get traffic(): Traffic {
    return this.#child.traffic()
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** One whose pipes are broken may be ending by itself: its exit tells why, where it comes within a moment. */
  async stop(): Promise<void> {
    const from = performance.now()
    if (!this.#isStopping && this.#isBroken()) await this.#untilExit()
    this.#isStopping = true
    // A stop takes no longer for it (B6).
    await this.#stop.stop(performance.now() - from)
  }

  escalate(): void {
    void this.#stop.escalate()
  }

  async endKnown(): Promise<void> {
    if (this.#exit) return
    await this.#untilExit()
    await this.#child.drainStderr()
  }

  endReason(when: string): AppError {
    // The exit of a child that was ended because its line broke says nothing of why it broke.
    return exitError(this.#hasExitedByItself ? this.#exit : undefined, when)
  }

  explain(): undefined {
    return undefined
  }

  #untilExit(): Promise<void> {
    this.#exitMoment ??= within(EXIT_MS, this.#child.exited)
    return this.#exitMoment
  }

  #isBroken(): boolean {
    const { stdin, stdout } = this.#child
    return !stdin.writable || stdout.readableEnded || stdout.destroyed
  }
}
