/** The middle value, or the mean of the two middle ones. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new Error('There is no value to take.')
  return (lower + upper) / 2
}

/** The median of two sides' ratios, round by round. Throws if their numbers of rounds differ. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  if (ours.length !== theirs.length) throw new Error('The sides differ in their rounds.')
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}
