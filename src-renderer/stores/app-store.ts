import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { CatalogState } from '../../src-shared/domain/catalog/catalog-state'
import type { AppState, ServerView } from '../../src-shared/domain/state/app-state'
import type { Connection } from '../ipc/socket-bridge'

/** State of the whole window: `app` is null until the first snapshot, and stays while the connection is lost. */
type AppStoreState = {
  readonly connection: Connection
  readonly app: AppState | null
  /** Why the newest snapshot failed. */
  readonly problem: AppErrorShape | null
}

/** The only store of main's state; only `follow-main.ts` writes to it. */
export const appStore = createStore<AppStoreState>(() => ({
  connection: 'connecting',
  app: null,
  problem: null,
}))

/** Resolves when main's state is known, or why it cannot be read. */
export function whenStateKnown(): Promise<void> {
  return new Promise((resolve) => {
    const check = ({ app, problem, connection }: AppStoreState): void => {
      const isCut = connection === 'lost' || connection === 'refused'
      if (app !== null || problem !== null || isCut) resolve()
    }
    appStore.subscribe(check)
    check(appStore.getState())
  })
}

/** Reads a part of the app store and renders again when that part changes. */
export function useApp<T>(selector: (state: AppStoreState) => T): T {
  return useStore(appStore, selector)
}

/** Whether single keys are shortcuts; a user can disable that. */
export function useSingleKeys(): boolean {
  return useApp(({ app }) => app?.settings.singleKeys !== false)
}

/** State of the catalog; undefined until the first snapshot. */
export function useCatalog(): CatalogState | undefined {
  return useApp((state) => state.app?.catalog)
}

const NONE: readonly ServerView[] = []

/** Every server, in the user's order. */
export function useServers(): readonly ServerView[] {
  return useApp((state) => state.app?.servers ?? NONE)
}

/** A server; undefined if none has this id. */
export function useServer(installationId: string): ServerView | undefined {
  return useApp((state) =>
    state.app?.servers.find((server) => server.installationId === installationId),
  )
}

/** Whether there is no keychain, so that secrets are lost when the app ends. */
export function useSecretsInMemory(): boolean {
  return useApp(({ app }) => app?.secretStore.kind === 'memory')
}

/** Current time in epoch ms, updated every `everyMs` while mounted; 0 stops updates. */
export function useNow(intervalMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (intervalMs === 0) return undefined
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
