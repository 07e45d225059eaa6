/** Which question a window shows, and which ones its person put aside for later; all by their ids. */
export type RequestQueue = {
  readonly shown: string | undefined
  readonly aside: readonly string[]
}

/** Nothing is shown, and nothing was put aside. */
export const EMPTY_QUEUE: RequestQueue = { shown: undefined, aside: [] }

/**
 * The desk once these questions wait, oldest first. One that is shown stays until it is over; then the oldest follows
 * that was not put aside. A window that shows none begins to only where `mayOpen` says that this disturbs nobody.
 */
export function meetQuestions(
  { shown, aside }: RequestQueue,
  waiting: readonly string[],
  mayOpen: boolean,
): RequestQueue {
  const kept = aside.filter((id) => waiting.includes(id))
  if (shown !== undefined && waiting.includes(shown)) return { shown, aside: kept }
  const next = waiting.find((id) => !kept.includes(id))
  return { shown: shown !== undefined || mayOpen ? next : undefined, aside: kept }
}

/** Shows the oldest; those after it follow, also where they were put aside. */
export function openQueue(waiting: readonly string[]): RequestQueue {
  return { shown: waiting[0], aside: [] }
}

/** Leaves all that wait for later. */
export function putAside(waiting: readonly string[]): RequestQueue {
  return { shown: undefined, aside: [...waiting] }
}
