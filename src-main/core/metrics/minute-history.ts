import { addMinute, type Minute } from './minute'

/**
 * What is older than so many minutes is kept in groups of so many, oldest first. They are those of the ranges that
 * are read (`compile-figures.ts`), with some minutes more: a range never parts a group.
 */
const GROUPS = [
  { olderThan: 6 * 60 + 12, length: 12 },
  { olderThan: 60 + 3, length: 3 },
] as const

/** Most minutes and groups: those of a day, and room for a clock that was wrong for a while. */
const MOST_KEPT = 300

/**
 * The last day of one server, without what is empty: the newest minutes alone, older ones in groups under their
 * first minute. Bounded by number and not by the time of day, so that a clock that jumps costs no figures.
 */
export class MinuteHistory {
  #minutes = new Map<number, Minute>()

  /** Takes in a minute that is over; one that is there already, as a clock was set back, is added to. `now` in minutes since the epoch. */
  add(minute: Minute, now: number): void {
    this.#keep([...this.#minutes.values(), minute], now)
  }

  /** Takes in what earlier runs left, as older than all that is here. */
  addEarlier(minutes: readonly Minute[], now: number): void {
    this.#keep([...minutes, ...this.#minutes.values()], now)
  }

  all(): readonly Minute[] {
    return [...this.#minutes.values()]
  }

  #keep(minutes: readonly Minute[], now: number): void {
    this.#minutes = new Map()
    for (const one of minutes) {
      const minute = firstOfGroup(one.minute, now)
      const known = this.#minutes.get(minute)
      if (known) addMinute(known, one)
      else this.#minutes.set(minute, { ...one, minute })
    }
    for (const oldest of this.#minutes.keys()) {
      if (this.#minutes.size <= MOST_KEPT) return
      this.#minutes.delete(oldest)
    }
  }
}

function firstOfGroup(minute: number, now: number): number {
  const length = GROUPS.find(({ olderThan }) => now - minute > olderThan)?.length ?? 1
  return minute - (minute % length)
}
