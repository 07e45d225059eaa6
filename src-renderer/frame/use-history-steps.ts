import { useSyncExternalStore } from 'react'

/** Whether there is a page to go back to, and one to go forward to; where the browser does not tell, there may be. */
type HistorySteps = { readonly canGoBack: boolean; readonly canGoForward: boolean }

/** The browser's own list of pages; not every browser has one (HTML standard, Navigation API). */
function list(): Navigation | undefined {
  return 'navigation' in window ? window.navigation : undefined
}

function subscribe(listener: () => void): () => void {
  const entries = list()
  entries?.addEventListener('currententrychange', listener)
  return () => entries?.removeEventListener('currententrychange', listener)
}

export function useHistorySteps(): HistorySteps {
  const canGoBack = useSyncExternalStore(subscribe, () => list()?.canGoBack ?? true)
  const canGoForward = useSyncExternalStore(subscribe, () => list()?.canGoForward ?? true)
  return { canGoBack, canGoForward }
}
