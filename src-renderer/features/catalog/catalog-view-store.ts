import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

type CatalogView = {
  readonly query: string
  readonly selectedId: string | null
}

const catalogViewStore = createStore<CatalogView>(() => ({ query: '', selectedId: null }))

/** What was searched and selected, so that the way back from a form finds it again. */
export function useCatalogView(): CatalogView {
  return useStore(catalogViewStore)
}

/** Changes a part of the view. */
export function setCatalogView(change: Partial<CatalogView>): void {
  catalogViewStore.setState(change)
}
