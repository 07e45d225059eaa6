import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import type { AgentStore } from '../../core/gateway/agents/agent-store'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { type HostFiles, OwnEntries } from '../../core/removal/own-entries'
import type { SecretOwners } from '../../core/removal/own-secrets'
import { ProfileFolder } from '../../core/removal/profile-folder'
import { ProfileSecrets } from '../../core/removal/profile-secrets'
import { Removal } from '../../core/removal/removal'
import { RequestGate } from '../../core/removal/request-gate'
import type { SecretVault } from '../../core/secrets/secret-vault'

/** What takes Patchbay off this computer, and the door that its requests go through. */
export type OpenRemoval = {
  readonly removal: Removal
  /** What every request goes through, except the removal's own. */
  readonly door: RequestGate
}

/** Gathers what a removal works on; does nothing yet. */
export function openRemoval(parts: {
  readonly profileDir: string
  readonly info: Pick<AppInfo, 'wayIn'>
  readonly store: ProfileDocument
  readonly vault: SecretVault
  readonly agents: Pick<AgentStore, 'agents'>
  readonly hosts: HostFiles
  readonly close: () => Promise<void>
  readonly end?: (() => void) | undefined
}): OpenRemoval {
  const { vault, hosts, info, close, end = () => undefined } = parts
  const folder = new ProfileFolder(parts.profileDir)
  const door = new RequestGate()
  const removal = new Removal({
    ...{ folder, door, close, end, wayIn: info.wayIn, look: () => hosts.look() },
    entries: new OwnEntries(hosts),
    secrets: new ProfileSecrets({ vault, owners: () => ownersOf(parts, folder) }),
    noKeychain: () => noKeychain(vault.state),
  })
  return { removal, door }
}

function noKeychain(state: SecretVault['state']): string | undefined {
  return state.kind === 'memory' ? `${state.reason} ${state.mend}` : undefined
}

/** Who has secrets: as this run knows it, and as the profile's documents say, which may hold what could not be read. */
async function ownersOf(
  {
    store,
    agents,
  }: { readonly store: ProfileDocument; readonly agents: Pick<AgentStore, 'agents'> },
  folder: ProfileFolder,
): Promise<SecretOwners> {
  const { secrets: stored, settings } = store
  const installations = [...store.installations, ...store.removed.map((one) => one.installation)]
  return {
    ...{ installations, stored },
    registries: new Map(settings.registries.map(({ sourceId, baseUrl }) => [sourceId, baseUrl])),
    agents: new Map(agents.agents.map(({ agentId, name }) => [agentId, name])),
    texts: {
      settings: [
        JSON.stringify({ installations, stored, settings }),
        ...(await folder.texts('settings')),
      ],
      agents: [JSON.stringify(agents.agents), ...(await folder.texts('agents'))],
      hosts: await folder.texts('hosts'),
    },
  }
}
