import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { ToolExposure } from '../../../src-shared/domain/agents/tools'
import type { Nature } from '../../components/tool/tool-messages'

/** The orders of the list. */
export type ToolSort = 'server' | 'tokens' | 'uses'

/** What is searched, filtered and how it is ordered; an empty filter leaves all in. */
export type ToolsView = {
  readonly query: string
  readonly sort: ToolSort
  /** Installation ids. */
  readonly servers: readonly string[]
  readonly exposures: readonly ToolExposure[]
  readonly natures: readonly Nature[]
}

/** No filter and no search. */
export const ALL_TOOLS: Omit<ToolsView, 'sort'> = {
  query: '',
  servers: [],
  exposures: [],
  natures: [],
}

const viewStore = createStore<ToolsView>(() => ({ ...ALL_TOOLS, sort: 'server' }))

/** The view, which stays while other pages are looked at. */
export function useToolsView(): ToolsView {
  return useStore(viewStore)
}

/** Changes a part of the view. */
export function setToolsView(change: Partial<ToolsView>): void {
  viewStore.setState(change)
}
