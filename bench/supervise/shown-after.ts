/** A status that main took on, or one that the page shows, of one server. */
export type StatusMoment = { readonly kind: string; readonly at: number }

/**
 * How many ms after each change the page showed it, or already a later one; both lists in their order, on one
 * clock. Throws when the page never came to show the last change.
 */
export function shownAfter(
  changes: readonly StatusMoment[],
  sights: readonly StatusMoment[],
): number[] {
  const delays: number[] = []
  for (const { kind, at } of sights) {
    const shown = changes.findIndex((one, index) => index >= delays.length && one.kind === kind)
    for (const change of changes.slice(delays.length, shown + 1)) delays.push(at - change.at)
  }
  if (delays.length < changes.length) {
    throw new Error(`The page did not show ${JSON.stringify(changes[delays.length])}.`)
  }
  return delays
}
