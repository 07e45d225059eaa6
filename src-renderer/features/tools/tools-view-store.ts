import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { ALL_TOOLS, type ToolsView } from '../../components/tool/list/list-groups'

const viewStore = createStore<ToolsView>(() => ({ ...ALL_TOOLS, sort: 'server' }))

/** The view, which stays while other pages are looked at. */
export function useToolsView(): ToolsView {
  return useStore(viewStore)
}

/** Changes a part of the view. */
export function setToolsView(change: Partial<ToolsView>): void {
  viewStore.setState(change)
}
