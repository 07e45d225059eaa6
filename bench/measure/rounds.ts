/** Measures one side once; resolves to the round's value. */
export type Side = () => Promise<number>

/**
 * Runs the sides in turn, round after round, so that the machine's load affects all. Each round starts with another side, so that one
 * side's aftermath doesn't always affect the same next one. The first round warms up and is dropped. Rejects if a round takes longer than
 * `limitMs`.
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

/** Settles as `work` does, or rejects with its name after `ms`. */
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

/** Duration of `work`, in ms. Without a garbage collection before, like in the app. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
