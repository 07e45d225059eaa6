import { notifyManager, QueryClient } from '@tanstack/react-query'

/** So long an answer waits for the next look when nobody looks any more, in ms; longer than React takes from drawing to mounting. */
const GONE_MS = 1_000

/**
 * What holds the answers of main. An answer is as old as the state that it was made of, which is a part of its key: nothing
 * is asked again by the clock, when the window gets the focus or after a failure, unless the hook says so.
 */
export function newQueries(): QueryClient {
  // An answer is drawn in the tick that brings it, not one later.
  notifyManager.setScheduler(queueMicrotask)
  const always = { networkMode: 'always', retry: false } as const
  return new QueryClient({
    defaultOptions: {
      queries: {
        ...always,
        gcTime: GONE_MS,
        refetchOnReconnect: false,
        refetchOnWindowFocus: false,
        // Answers can be long lists: comparing them costs more than drawing what is in view.
        structuralSharing: false,
      },
      mutations: always,
    },
  })
}
