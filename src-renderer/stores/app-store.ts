import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { CatalogState } from '../../src-shared/domain/catalog/catalog-state'
import type { AppState, ServerView } from '../../src-shared/domain/state/app-state'
import type { Connection } from '../ipc/socket-bridge'

/** What the whole window knows: `app` is null until the first snapshot, and stays while the line is lost. */
type AppStoreState = {
  readonly connection: Connection
  readonly app: AppState | null
  /** Why the newest snapshot could not be had. */
  readonly problem: AppErrorShape | null
}

/** The one store of main's state; only `follow-main.ts` writes to it. */
export const appStore = createStore<AppStoreState>(() => ({
  connection: 'connecting',
  app: null,
  problem: null,
}))

/** Resolves once something is known of main: its state, or why that cannot be had. */
export function whenStateKnown(): Promise<void> {
  return new Promise((resolve) => {
    const look = ({ app, problem, connection }: AppStoreState): void => {
      const isCut = connection === 'lost' || connection === 'refused'
      if (app !== null || problem !== null || isCut) resolve()
    }
    appStore.subscribe(look)
    look(appStore.getState())
  })
}

/** Reads a part of the app store and renders again when that part changes. */
export function useApp<T>(selector: (state: AppStoreState) => T): T {
  return useStore(appStore, selector)
}

/** Whether letters and signs alone are shortcuts; a user can switch that off. */
export function useSingleKeys(): boolean {
  return useApp(({ app }) => app?.settings.singleKeys !== false)
}

/** How the catalog is; undefined until the first snapshot. */
export function useCatalog(): CatalogState | undefined {
  return useApp((state) => state.app?.catalog)
}

const NONE: readonly ServerView[] = []

/** Every server, in the user's order. */
export function useServers(): readonly ServerView[] {
  return useApp((state) => state.app?.servers ?? NONE)
}

/** One server, or undefined when there is none with this id. */
export function useServer(installationId: string): ServerView | undefined {
  return useApp((state) =>
    state.app?.servers.find((server) => server.installationId === installationId),
  )
}

/** Whether there is no keychain: secrets are held in memory only and end with this run. */
export function useSecretsInMemory(): boolean {
  return useApp(({ app }) => app?.secretStore.kind === 'memory')
}

/** The present in epoch ms, renewed every `everyMs` while the component stands; 0 keeps it still. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === 0) return undefined
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
