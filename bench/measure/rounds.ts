/** Measures one side once; what it resolves to is the value of the round. */
export type Side = () => Promise<number>

/**
 * Runs the sides in turn, round after round, so that what else the machine does meets all of them, and each
 * round from another one on, so that what a side leaves behind does not always meet the same next one. The
 * first round warms up and is dropped. Rejects when a whole round takes longer than `limitMs`.
 */
export async function interleave<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  plan: { readonly rounds: number; readonly limitMs: number },
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >
  for (let round = 0; round <= plan.rounds; round += 1) {
    const first = round % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const value = await within(plan.limitMs, `a round of ${name}`, sides[name]())
      if (round > 0) values[name].push(value)
    }
  }
  return values
}

/** The work's own outcome, or a rejection that names it when `ms` have passed. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** How long `work` takes, in ms. Nothing is collected before: the app does not do that either. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
