import { setImmediate as nextTurn } from 'node:timers/promises'

/** Time of work per tick, in ms. */
const TURN_MS = 8

/** Splits long work into short ticks, so that calls of agents continue meanwhile. */
export class TurnShare {
  #until = performance.now() + TURN_MS

  /** Whether this tick has used its time. */
  get isUsedUp(): boolean {
    return performance.now() >= this.#until
  }

  /** Waits for the next tick. */
  async next(): Promise<void> {
    await nextTurn()
    this.#until = performance.now() + TURN_MS
  }
}
