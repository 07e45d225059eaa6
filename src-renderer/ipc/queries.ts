import { notifyManager, QueryClient } from '@tanstack/react-query'

/** How long a response without observers is kept, in ms; longer than React takes from rendering to mounting. */
const GONE_MS = 1_000

/**
 * Creates the cache of main's responses. The state that a response depends on is part of its key: nothing is fetched again by time, on
 * window focus or after a failure, unless the hook requests it.
 */
export function newQueries(): QueryClient {
  // A response renders in the tick of its arrival.
  notifyManager.setScheduler(queueMicrotask)
  const always = { networkMode: 'always', retry: false } as const
  return new QueryClient({
    defaultOptions: {
      queries: {
        ...always,
        gcTime: GONE_MS,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        // Responses can be long lists: comparing them costs more than rendering the visible part.
        structuralSharing: false,
      },
      mutations: always,
    },
  })
}
