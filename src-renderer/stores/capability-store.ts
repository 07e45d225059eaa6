import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { Capabilities } from '../../src-shared/domain/agents/capability'
import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { call, toErrorShape } from '../ipc/call'

/** What is known of a server's capabilities; `capabilities` stays from the last good reading. */
export type KnownCapabilities = {
  readonly capabilities: Capabilities | null
  readonly reading: boolean
  readonly problem: AppErrorShape | null
  /** The process and the listing that this reading is of. */
  readonly readFor: string
}

type CapabilityStoreState = { readonly known: Readonly<Record<string, KnownCapabilities>> }

/** The capabilities of the servers that were looked at. */
export const capabilityStore = createStore<CapabilityStoreState>(() => ({ known: {} }))

/** Names the process and its listing, so that another one of either asks for a new reading. */
function capabilityEdition({ upSince, listing }: ServerView): string {
  return `${upSince ?? ''}:${listing}`
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

/** Asks main for the capabilities of a server; an answer that a newer question overtook is dropped. */
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

/** Reads the capabilities where those of this session, or the last known ones while there is none, are not there yet. */
export function ensureCapabilities(server: ServerView): void {
  const known = capabilityStore.getState().known[server.installationId]
  if (known?.readFor !== capabilityEdition(server)) void readCapabilities(server)
}

/** What is known of one server's capabilities. */
export function useCapabilities(installationId: string): KnownCapabilities | undefined {
  return useStore(capabilityStore, (state) => state.known[installationId])
}
