import type { RefObject } from 'react'
import { useCallback, useEffect, useRef } from 'react'

/** A row that is to have the focus, and its element once that had it. */
type WantedRow = { readonly index: number; readonly element?: HTMLElement }

/** Whether the row is still to be focused: it never was, or its element went away with the focus. */
function isDue({ element }: WantedRow): boolean {
  if (element === undefined) return true
  return !element.isConnected && document.activeElement === document.body
}

/**
 * Focuses the element of a virtual list of `count` that has this `data-index`, at once or as soon as it is drawn, and
 * the last one where the list has become shorter meanwhile.
 */
export function useFocusRow(
  list: RefObject<HTMLElement | null>,
  count: number,
): (index: number) => void {
  const wanted = useRef<WantedRow | null>(null)
  const tryIt = useCallback((): void => {
    if (wanted.current === null || !isDue(wanted.current)) return
    const index = Math.min(wanted.current.index, count - 1)
    const element = list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    if (!element) return
    wanted.current = { index, element }
    element.focus({ preventScroll: true })
  }, [list, count])
  useEffect(tryIt)
  return useCallback(
    (index) => {
      wanted.current = { index }
      tryIt()
    },
    [tryIt],
  )
}
