import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** The path of a bundle that was dropped on the window and that no page has taken yet. */
const droppedStore = createStore<{ readonly path: string | null }>(() => ({ path: null }))

/** Keeps a path for the page that opens bundles. */
export function keepDropped(path: string): void {
  droppedStore.setState({ path })
}

/** The path that waits, taken from then on. */
export function takeDropped(): string | null {
  const { path } = droppedStore.getState()
  droppedStore.setState({ path: null })
  return path
}

/** Whether a path waits. */
export function useHasDropped(): boolean {
  return useStore(droppedStore, ({ path }) => path !== null)
}
