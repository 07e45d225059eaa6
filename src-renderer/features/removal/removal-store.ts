import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { RemovalOutcome } from '../../../src-shared/domain/state/removal'
import { call, toErrorShape } from '../../ipc/call'
import { useApp } from '../../stores/app-store'

/** Progress of a complete removal in this window. */
export type RemovalPhase =
  | { readonly kind: 'none' }
  | { readonly kind: 'removing' }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }
  | { readonly kind: 'done'; readonly outcome: RemovalOutcome }
  | { readonly kind: 'ended' }

const removalStore = createStore<{ readonly phase: RemovalPhase }>(() => ({
  phase: { kind: 'none' },
}))

/** Returns the phase of this window; `unknown` if another window, or this one before a reload, removed everything. */
export function useRemovalPhase(): RemovalPhase | { readonly kind: 'unknown' } {
  const phase = useStore(removalStore, (state) => state.phase)
  const isRemoved = useApp((state) => state.problem?.code === 'REMOVED')
  return phase.kind === 'none' && isRemoved ? { kind: 'unknown' } : phase
}

/** Removes everything, or retries the remaining items. */
export async function removeEverything(): Promise<void> {
  enter({ kind: 'removing' })
  try {
    enter({ kind: 'done', outcome: await call('removal.remove', {}) })
  } catch (thrown) {
    enter({ kind: 'failed', problem: toErrorShape(thrown) })
  }
}

/** Quits the app after the removal. */
export async function endPatchbay(): Promise<void> {
  try {
    await call('removal.end', {})
  } catch (thrown) {
    const problem = toErrorShape(thrown)
    // The app can quit before its response arrives.
    if (problem.code !== 'DISCONNECTED') {
      enter({ kind: 'failed', problem })
      return
    }
  }
  enter({ kind: 'ended' })
}

function enter(phase: RemovalPhase): void {
  removalStore.setState({ phase })
}
