import { create } from 'zustand'

/** A resource of a server, like in `toolRun.updated`. */
type Updated = { readonly installationId: string; readonly uri: string }

/** Number of changes of a watched resource, and the time of the last one (epoch ms). */
export type ResourceUpdates = { readonly count: number; readonly lastAt: number }

const MOST = 200

const useStore = create<{ readonly updates: readonly (readonly [string, ResourceUpdates])[] }>(
  () => ({ updates: [] }),
)

function keyOf({ installationId, uri }: Updated): string {
  return JSON.stringify([installationId, uri])
}

/** Records a change of a watched resource. */
export function recordUpdate(updated: Updated): void {
  const key = keyOf(updated)
  useStore.setState(({ updates }) => {
    const count = (updates.find(([one]) => one === key)?.[1].count ?? 0) + 1
    const rest = updates.filter(([one]) => one !== key).slice(1 - MOST)
    return { updates: [...rest, [key, { count, lastAt: Date.now() }] as const] }
  })
}

/** Changes of a resource since the window opened; undefined if there were none. */
export function useUpdates(installationId: string, uri: string): ResourceUpdates | undefined {
  const key = keyOf({ installationId, uri })
  return useStore(({ updates }) => updates.find(([one]) => one === key)?.[1])
}
