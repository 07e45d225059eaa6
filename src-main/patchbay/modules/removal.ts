import type { AgentStore } from '../../core/gateway/agents/agent-store'
import { secretHolders } from '../../core/installation/secrets/change-secrets'
import type { HostFiles } from '../../core/removal/own-entries'
import { ProfileFolder } from '../../core/removal/profile-folder'
import { ProfileSecrets } from '../../core/removal/profile-secrets'
import { Removal } from '../../core/removal/removal'
import { RequestGate } from '../../core/removal/request-gate'
import type { SecretOwners } from '../../core/secrets/own-secrets'
import type { Handlers, HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'

export type RemovalModule = {
  readonly removal: Removal
  readonly handlers: HandlersOf<'removal'>
  /** Wraps handlers so that they reject with REMOVED once a removal has begun. */
  guard(
    handlers: Omit<Handlers, keyof HandlersOf<'removal'>>,
  ): Omit<Handlers, keyof HandlersOf<'removal'>>
}

export type RemovalDeps = {
  readonly agents: AgentStore
  readonly apps: HostFiles
  readonly close: () => Promise<void>
  readonly end: (() => void) | undefined
}

/** Collects the parts of a removal; does nothing yet. */
export function openRemoval(ctx: AppContext, deps: RemovalDeps): RemovalModule {
  const { profileDir, vault, info } = ctx
  const { agents, apps, close, end = () => undefined } = deps
  const folder = new ProfileFolder(profileDir)
  const gate = new RequestGate()
  const removal = new Removal({
    ...{ apps, folder, gate, close, wayIn: info.wayIn },
    secrets: new ProfileSecrets({ vault, owners: () => ownersOf(ctx, agents, folder) }),
  })
  return {
    removal,
    handlers: {
      'removal.read': () => removal.read(),
      'removal.remove': () => removal.remove(),
      'removal.end': () => {
        removal.checkDone()
        // After the response.
        setImmediate(end)
      },
    },
    guard: (handlers) => {
      const guarded = Object.entries(handlers).map(([channel, handler]) => {
        const handle = handler as (input: unknown) => unknown
        return [channel, (input: unknown) => gate.pass(() => handle(input))]
      })
      return Object.fromEntries(guarded) as typeof handlers
    },
  }
}

/** Returns the owners of secrets, as known to this run and from the profile's documents, whose unreadable parts may name more. */
async function ownersOf(
  { store }: AppContext,
  { agents }: AgentStore,
  folder: ProfileFolder,
): Promise<SecretOwners> {
  const holders = secretHolders(store)
  const { settings, unwantedSecrets } = store
  return {
    ...holders,
    agents: new Map(agents.map(({ agentId, name }) => [agentId, name])),
    texts: {
      settings: [
        JSON.stringify({ ...holders, settings, unwantedSecrets }),
        ...(await folder.texts('settings')),
      ],
      agents: [JSON.stringify(agents), ...(await folder.texts('agents'))],
      hosts: await folder.texts('hosts'),
    },
  }
}
