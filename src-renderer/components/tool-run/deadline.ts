import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** How long a run may be without an answer or a step, in ms; undefined for the call limit of its server. */
export const DEADLINES = [
  { value: undefined, label: 'Default' },
  { value: 5_000, label: '5 s' },
  { value: 15_000, label: '15 s' },
  { value: 60_000, label: '1 min' },
  { value: 300_000, label: '5 min' },
  { value: 3_600_000, label: '1 hour' },
] as const

/** The choice of this window, for all that is tried. */
export const deadlineStore = createStore<{ readonly deadlineMs: number | undefined }>(() => ({
  deadlineMs: undefined,
}))

/** The deadline that was chosen last, in ms; undefined for the call limit. */
export function useDeadline(): number | undefined {
  return useStore(deadlineStore, ({ deadlineMs }) => deadlineMs)
}
