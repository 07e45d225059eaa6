/** Returns the result of `work`; undefined if it throws, for callers that ignore the reason. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Returns the value of a JSON text; undefined if it does not parse. */
export function jsonIn(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown)
}
