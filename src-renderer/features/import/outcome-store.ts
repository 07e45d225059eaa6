import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { ImportedServers } from '../../../src-shared/domain/agents/host'
import { BLANK_DRAFT, type ImportDraft } from './found-rows'

/** What came of the newest import, and how many servers it was to add. */
export type Outcome = ImportedServers & { readonly wanted: number }

type Kept = {
  readonly outcome: Outcome | null
  /** What was decided about the servers that are not imported. */
  readonly rest: ImportDraft
}

const outcomeStore = createStore<Kept>(() => ({ outcome: null, rest: BLANK_DRAFT }))

/** The newest outcome until it is put away, so that the way back from the review of a server finds it again. */
export function useOutcome(): Outcome | null {
  return useStore(outcomeStore, ({ outcome }) => outcome)
}

/** Shows an outcome, and keeps what was decided about the rest. */
export function showOutcome(outcome: Outcome, rest: ImportDraft): void {
  outcomeStore.setState({ outcome, rest })
}

/** Takes a change that was undone out of the outcome. */
export function forgetChange(changeId: string): void {
  const { outcome } = outcomeStore.getState()
  if (outcome === null) return
  const changes = outcome.changes.filter((change) => change.changeId !== changeId)
  outcomeStore.setState({ outcome: { ...outcome, changes } })
}

/** Leads back to what is not imported. */
export function putOutcomeAway(): void {
  outcomeStore.setState({ outcome: null })
}

/** What was decided about servers that the newest import left. */
export function keptRest(): ImportDraft {
  return outcomeStore.getState().rest
}

/** Keeps nothing of it any more. */
export function forgetRest(): void {
  outcomeStore.setState({ rest: BLANK_DRAFT })
}
