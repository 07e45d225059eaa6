import type { ProcessEntry } from '../tree/process-table'
import { newRunToken, startMark } from '../tree/process-table'
import type { ContainerRef } from './docker-container'

/** What is left of a child and of its container. */
export type ChildRemains = { readonly isTreeGone: boolean; readonly isContainerGone: boolean }

/** The note of one child, from before its spawn until nothing of it is left. */
export type ChildNote = {
  /** Goes into the child's environment; see `start-mark.ts`. */
  readonly mark: string
  /** `startTime` is undefined where the system does not tell it immediately. */
  started(pid: number, startTime: string | undefined): void
  /** Which processes belong to the child now, where no mark can be read later. */
  seen(members: readonly ProcessEntry[]): void
  /** May come more than once; what is gone stays gone. */
  settle(remains: ChildRemains): void
}

/** Remembers children beyond the life of the app, so that the next one can end what is left of them. */
export type ChildKeeper = {
  /** Call before the spawn: from its return on the child can be found, whenever the app ends. */
  note(child: {
    readonly command: string
    readonly container?: ContainerRef | undefined
  }): ChildNote
}

/** For children that nobody needs to remember. */
export const FORGETFUL_KEEPER: ChildKeeper = {
  note: () => ({
    mark: startMark(newRunToken(), '0'),
    started: () => undefined,
    seen: () => undefined,
    settle: () => undefined,
  }),
}
