import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long is worked in one turn of the event loop, in ms. */
const TURN_MS = 8

/** Ends the turn of long work in time, so that calls of agents go on meanwhile. */
export class TurnShare {
  #until = performance.now() + TURN_MS

  /** Whether it is the turn of others. */
  get isOver(): boolean {
    return performance.now() >= this.#until
  }

  /** Lets the others have theirs. */
  async next(): Promise<void> {
    await nextTurn()
    this.#until = performance.now() + TURN_MS
  }
}
