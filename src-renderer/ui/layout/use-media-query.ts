import { useCallback, useSyncExternalStore } from 'react'

/** One list for each query, however many ask for it. */
const lists = new Map<string, MediaQueryList>()

function listOf(query: string): MediaQueryList {
  const known = lists.get(query) ?? window.matchMedia(query)
  lists.set(query, known)
  return known
}

/** Whether the window fits a media query, renewed when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => listOf(query).matches)
}
