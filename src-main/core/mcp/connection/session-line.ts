import type { Transport } from '@modelcontextprotocol/client'

import type { AppError } from '../../../../src-shared/domain/app-error'
import type { ChildExit, Traffic } from '../../process/spawn/child-process'
import type { ProcessTree } from '../../process/tree/process-tree'
import type { OwnRequests } from '../messages/own-requests'

/**
 * What speaks against the older era that a server was taken for: the question for its era failed, is not answered yet,
 * or was answered as by one of the newer era when it was no longer waited for.
 */
export type EraDoubt = 'failed' | 'silent' | 'late'

/** What a session speaks over, with all that has to end with it. */
export type SessionLine = {
  readonly transport: Transport
  /** What can be asked beside the SDK, where the line is one of ours. */
  readonly own?: OwnRequests | undefined
  /** Of the child, where there is one. */
  readonly pid: number | undefined
  /** The child with all that it started. */
  readonly tree: ProcessTree | undefined
  /** Known once the child has exited. */
  readonly exit: ChildExit | undefined
  /** When the server last said anything, by `performance.now()`. */
  readonly heardAt: number
  readonly traffic: Traffic
  /** Whether it holds what another one would need as well, such as a port: that one can come after its end only. */
  readonly isAlone: boolean
  readonly eraDoubt: EraDoubt | undefined
  /** Whether `stop` was called. */
  readonly isStopping: boolean
  /** Settles when `traffic` grows no more. */
  readonly ended: Promise<void>
  /** Ends it in stages (B6); every call shares one promise. */
  stop(): Promise<void>
  /** Goes to the next stage of a stop at once. */
  escalate(): void
  /** Where the exit may come a moment after the line has broken: settles with it, or once it is not to be expected. */
  readonly endKnown?: (() => Promise<void>) | undefined
  /** Why it is gone, as far as that is known yet; `when` completes the sentence, as in "before it answered". */
  endReason(when: string): AppError
  /** What a failure of a request says about the line; undefined where it says nothing. */
  explain(error: unknown): AppError | undefined
}
