/** The part of a document that tells whether it is seen. */
export type SeenPage = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>

/**
 * Looks at once, then `everyMs` after each look is over, but never while the page is hidden: shown again, it looks
 * at once. Returns the way to stop. `look` does not reject.
 */
export function pollWhileSeen(
  page: SeenPage,
  everyMs: number,
  look: () => Promise<void>,
): () => void {
  const line: { timer?: ReturnType<typeof setTimeout>; isOver: boolean; isLooking: boolean } = {
    isOver: false,
    isLooking: false,
  }
  const next = async (): Promise<void> => {
    if (line.isLooking) return
    clearTimeout(line.timer)
    line.isLooking = true
    await look()
    line.isLooking = false
    if (!line.isOver && !page.hidden) line.timer = setTimeout(() => void next(), everyMs)
  }
  const turn = (): void => {
    if (page.hidden) clearTimeout(line.timer)
    else void next()
  }
  page.addEventListener('visibilitychange', turn)
  if (!page.hidden) void next()
  return () => {
    line.isOver = true
    clearTimeout(line.timer)
    page.removeEventListener('visibilitychange', turn)
  }
}
