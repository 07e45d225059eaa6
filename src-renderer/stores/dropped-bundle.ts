import { createStore } from 'zustand/vanilla'

/** The path of a bundle that was dropped on the window and that no page has taken yet. */
const droppedStore = createStore<{ readonly path: string | null }>(() => ({ path: null }))

/** Keeps a path for the page that opens bundles. */
export function keepDropped(path: string): void {
  droppedStore.setState({ path })
}

/** Hands over the path that waits, and each that comes later, until the returned function is called. */
export function followDropped(listener: (path: string) => void): () => void {
  let isOver = false
  const hand = (): void => {
    const { path } = droppedStore.getState()
    if (isOver || path === null) return
    droppedStore.setState({ path: null })
    listener(path)
  }
  // Who follows may be called once it has said so, not before.
  queueMicrotask(hand)
  const unsubscribe = droppedStore.subscribe(hand)
  return () => {
    isOver = true
    unsubscribe()
  }
}
