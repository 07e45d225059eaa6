import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { CallOutcome } from '../../../src-shared/domain/agents/activity'

/** How far back one looks. */
export type Span = 'all' | 'hour' | 'day' | 'week'

/** What is searched and filtered. */
export type ActivityView = {
  readonly query: string
  readonly agentId: string | undefined
  readonly installationId: string | undefined
  /** `failed` are all but those that succeeded. */
  readonly outcome: CallOutcome | 'all' | 'failed'
  readonly span: Span
  /** When the span was chosen, epoch ms: a list that grows does not move its beginning. */
  readonly spanAt: number
}

/** No filter and no search. */
export const ALL_CALLS: ActivityView = {
  query: '',
  agentId: undefined,
  installationId: undefined,
  outcome: 'all',
  span: 'all',
  spanAt: 0,
}

const viewStore = createStore<ActivityView>(() => ALL_CALLS)

/** The view, which stays while other pages are looked at. */
export function useActivityView(): ActivityView {
  return useStore(viewStore)
}

/** Changes a part of the view. */
export function setActivityView(change: Partial<ActivityView>): void {
  viewStore.setState(change)
}
