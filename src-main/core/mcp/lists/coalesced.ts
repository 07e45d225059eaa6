/**
 * Makes `work`, which never rejects, something that can be asked for at any time: it begins `afterMs()` later, runs
 * once at a time, and once more when it was asked for meanwhile. Nothing begins while `isOver`.
 */
export function coalesced(
  work: () => Promise<void>,
  { afterMs, isOver }: { readonly afterMs: () => number; readonly isOver: () => boolean },
): () => void {
  let isUnderWay = false
  let isOutdated = false
  const ask = (): void => {
    isOutdated = true
    if (isUnderWay) return
    isUnderWay = true
    setTimeout(() => {
      if (isOver()) return
      isOutdated = false
      void work().then(() => {
        isUnderWay = false
        if (isOutdated) ask()
      })
    }, afterMs()).unref()
  }
  return ask
}
