/** Steps of one check: up to some 150 ms for a schema that is made to take long, some 2 µs for a usual one. */
const MOST_STEPS = 500_000

/** A check that would take too long was given up. */
export class BudgetError extends Error {
  override readonly message = 'the schema takes too long to check for these values'
}

/** The steps that several checks may take together. */
export class CheckBudget {
  #left = MOST_STEPS

  /** Throws a `BudgetError` when all are spent. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new BudgetError()
  }
}
