/** Step limit of one check: about 150 ms for a hostile schema; a usual one takes about 2 µs. */
const MAX_STEPS = 500_000

/** A check that took too long and was aborted. */
export class BudgetError extends Error {
  override readonly message = 'the schema takes too long to check for these values'
}

/** Number of steps that several checks may take together. */
export class CheckBudget {
  #left = MAX_STEPS

  /** Throws a `BudgetError` if no steps are left. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new BudgetError()
  }
}
