import type { ProcessEntry } from '../tree/process-table'
import { newRunToken, startMark } from '../tree/process-table'
import type { ContainerRef } from './docker-container'

/** What remains of a child and its container. */
export type ChildEnd = { readonly isTreeGone: boolean; readonly isContainerGone: boolean }

/** The record of one child, from before its spawn until nothing of it is left. */
export type ChildRecorder = {
  /** Set in the child's environment; see `process-table.ts`. */
  readonly mark: string
  /** `startTime` is undefined if the system doesn't provide it immediately. */
  started(pid: number, startTime: string | undefined): void
  /** Current members of the child's tree, for systems where marks can't be read. */
  seen(members: readonly ProcessEntry[]): void
  /** May be called several times; gone parts stay gone. */
  finished(remains: ChildEnd): void
}

/** Records children on disk, so that the next run of the app can end what is left of them. */
export type ProcessLedger = {
  /** Call before the spawn: from then on the child can be found, whenever the app ends. */
  add(child: {
    readonly command: string
    readonly container?: ContainerRef | undefined
  }): ChildRecorder
}

/** For children that need no record. */
export const NO_LEDGER: ProcessLedger = {
  add: () => ({
    mark: startMark(newRunToken(), '0'),
    started: () => undefined,
    seen: () => undefined,
    finished: () => undefined,
  }),
}
