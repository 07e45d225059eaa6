import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { ServerView } from '../../src-shared/domain/app-state'
import type { Capabilities } from '../../src-shared/domain/capability'
import { call, toErrorShape } from '../ipc/call'

/** What is known of a server's capabilities; `capabilities` stays from the last good reading. */
export type KnownCapabilities = {
  readonly capabilities: Capabilities | null
  readonly reading: boolean
  readonly problem: AppErrorShape | null
  /** The session and counts that this reading belongs to. */
  readonly readFor: string
}

type CapabilityStoreState = { readonly known: Readonly<Record<string, KnownCapabilities>> }

/** The capabilities of the servers that were looked at. */
export const capabilityStore = createStore<CapabilityStoreState>(() => ({ known: {} }))

/** Names the session and the counts, so that a change of either asks for a new reading. */
export function capabilityEdition({ statusSince, counts }: ServerView): string {
  const { tools, resources, resourceTemplates, prompts } = counts
  return [statusSince, tools, resources, resourceTemplates, prompts].join(':')
}

function update(installationId: string, change: Partial<KnownCapabilities>): void {
  capabilityStore.setState(({ known }) => {
    const old = known[installationId] ?? {
      capabilities: null,
      reading: false,
      problem: null,
      readFor: '',
    }
    return { known: { ...known, [installationId]: { ...old, ...change } } }
  })
}

/** Asks main for the capabilities of a working server; an answer that a newer question overtook is dropped. */
export async function readCapabilities(server: ServerView): Promise<void> {
  const { installationId } = server
  const readFor = capabilityEdition(server)
  const isNewest = (): boolean =>
    capabilityStore.getState().known[installationId]?.readFor === readFor
  update(installationId, { reading: true, problem: null, readFor })
  try {
    const capabilities = await call('server.capabilities', { installationId })
    if (isNewest()) update(installationId, { capabilities, reading: false })
  } catch (thrown) {
    if (isNewest()) update(installationId, { reading: false, problem: toErrorShape(thrown) })
  }
}

/** Reads the capabilities when the server works and this session's are not known yet. */
export function ensureCapabilities(server: ServerView): void {
  const works = server.status.kind === 'ready' || server.status.kind === 'degraded'
  const known = capabilityStore.getState().known[server.installationId]
  if (works && known?.readFor !== capabilityEdition(server)) void readCapabilities(server)
}

/** What is known of one server's capabilities. */
export function useCapabilities(installationId: string): KnownCapabilities | undefined {
  return useStore(capabilityStore, (state) => state.known[installationId])
}
