/** The result of `work`; undefined where it throws, for work of which nobody needs to know why it failed. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown)
}
