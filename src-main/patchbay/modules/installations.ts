import { homedir } from 'node:os'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { OFFICIAL_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type {
  ConfiguredServer,
  ServerChoice,
} from '../../../src-shared/domain/installation/configuration'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { describePasted } from '../../core/import/describe-pasted'
import { type PastedText, readConfiguration } from '../../core/import/pasted-configuration'
import type { PastedServer } from '../../core/import/read-server'
import { describeToolChoice } from '../../core/import/tool-list'
import { revisionOf } from '../../core/installation/draft'
import type { InstallationService } from '../../core/installation/installation-service'
import { InstalledServers, type UsableServer } from '../../core/installed/installed-servers'
import type { ComputerVariables } from '../../core/launch/environment/computer-variables'
import { background } from '../../core/lifecycle/background'
import { type ServerRemovalParts, ServerRemovals } from '../../core/removal/server-removals'
import { shownCapabilities } from '../../core/tools/shown-capabilities'
import type { Tools } from '../../core/tools/tools'
import { hasVersions, isVersionOf, knownUpdate } from '../../core/updates/newer-version'
import { reviewUpdate, viewEarlier } from '../../core/updates/review-update'
import type { HandlersOf } from '../../ipc/answer'
import type { CatalogModule } from './catalog'
import type { AppContext } from './context'
import { formHandlers, offerIn } from './forms'
import type { ServersModule } from './servers'

export type InstallationsModule = {
  readonly installed: InstalledServers
  readonly removals: ServerRemovals
  readonly handlers: InstallationHandlers
}

type InstallationHandlers = HandlersOf<
  'installation' | 'configuration' | 'customServer' | 'launch' | 'secret' | 'update' | 'roots'
> &
  Pick<
    HandlersOf<'server'>,
    'server.repair' | 'server.setSharing' | 'server.capabilities' | 'server.findPort'
  >

export type InstallationDeps = {
  readonly installations: InstallationService
  readonly catalog: CatalogModule
  readonly servers: ServersModule
  readonly tools: Tools
  readonly variables: ComputerVariables
  /** Modules that store data per server, which is deleted with it. */
  readonly keepers: ServerRemovalParts['keepers']
}

/** Opens adding, changing and removing servers. */
export function openInstallations(ctx: AppContext, deps: InstallationDeps): InstallationsModule {
  const { vault, notices, changes } = ctx
  const { installations, tools, keepers } = deps
  const { servers, signIns } = deps.servers
  const { catalog } = deps.catalog
  const running = { installations, servers, tools, signIns }
  const removals = new ServerRemovals({
    ...{ installations, servers, signIns, notices, secrets: vault },
    keepers: [...keepers, tools],
  })
  const onAdded = (installationId: string): void => changes.server(installationId)
  const installed = new InstalledServers({ ...running, removals, onAdded })
  return {
    ...{ installed, removals },
    handlers: {
      ...formHandlers(catalog, installations),
      ...configurationHandlers(ctx, deps, installed),
      ...updateHandlers(deps.catalog, installations, installed),
      ...secretHandlers(ctx, installations),
      ...serverHandlers(deps, installed),
      'installation.create': async ({ entryId, offer, start, asItIs, ...draft }) => {
        const entry = await catalog.find(entryId)
        offerIn(entry, offer)
        return { installationId: await installed.create(entry, offer, draft, { start, asItIs }) }
      },
      'installation.read': ({ installationId }) => {
        const installation = installations.read(installationId)
        return { ...installation, revision: revisionOf(installation) }
      },
      'installation.update': ({ installationId, start, ...draft }) =>
        installed.save(installationId, draft, { start }),
      'installation.setEnabled': ({ installationId, enabled }) =>
        installed.setEnabled(installationId, enabled),
      'installation.remove': ({ installationId, ...options }) =>
        installed.remove(installationId, options),
      'installation.takeBack': ({ installationId }) => removals.undo(installationId),
      'customServer.save': async ({ installationId, start, ...draft }) => ({
        installationId: await installed.saveCustomServer(installationId, draft, { start }),
      }),
    },
  }
}

function serverHandlers(
  { installations, servers: { servers }, tools }: InstallationDeps,
  installed: InstalledServers,
) {
  return {
    'server.repair': ({ installationId }) => installed.repair(installationId),
    'server.setSharing': ({ installationId, sharing }) => {
      installations.set(installationId, { sharing })
      const stopped = servers.read(installationId).instances?.stop()
      if (stopped) background(stopped, 'stopping the instances of a server')
      tools.installationsChanged()
    },
    'server.capabilities': ({ installationId }) => {
      servers.read(installationId)
      return shownCapabilities(tools.capabilitiesOf(installationId))
    },
    'server.findPort': ({ installationId, taken }) => installed.findPort(installationId, taken),
    'roots.set': async ({ installationId, roots }) => {
      await installations.setRoots(installationId, roots)
      servers.find(installationId)?.serverRequests?.rootsChanged()
    },
  } satisfies Partial<InstallationHandlers>
}

/** Handlers of secrets; no response contains a secret's value. */
function secretHandlers(
  { vault }: AppContext,
  { stored }: InstallationService,
): HandlersOf<'secret'> {
  return {
    'secret.create': async ({ name, value }) => {
      const { secretId } = await stored.create(name, value)
      return { secretId }
    },
    'secret.rename': ({ secretId, name }) => stored.rename(secretId, name),
    'secret.rotate': async ({ secretId, value }) => {
      await stored.rotate(secretId, value)
    },
    'secret.remove': ({ secretId, evenIfUsed }) => stored.remove(secretId, evenIfUsed),
    'secret.share': async ({ installationId, fieldKey, name }) => {
      const { secretId } = await stored.share(installationId, fieldKey, name)
      return { secretId }
    },
    'secret.findEmpty': () => stored.findEmpty(),
    'secret.unlock': ({ passphrase }) => vault.unlock(passphrase),
    'secret.encrypt': ({ passphrase }) => vault.encrypt(passphrase),
    'secret.deleteFile': () => vault.deleteFile(),
  }
}

/** Handlers that read pasted configurations and add the selected servers; approved ones start. */
function configurationHandlers(
  { store }: AppContext,
  { catalog: { catalog }, installations, variables }: InstallationDeps,
  installed: InstalledServers,
): HandlersOf<'configuration'> {
  const read = async (text: string, choices: readonly ServerChoice[]): Promise<PastedText> => {
    const takenNames = store.installations.map(({ name }) => name)
    const environment = await variables.namedIn(text)
    return readConfiguration(text, choices, { home: homedir(), environment, takenNames }, catalog)
  }
  return {
    'configuration.read': async ({ text, choices }) => {
      const pasted = await read(text, choices)
      if (pasted.kind !== 'servers') return pasted
      const environment = await variables.namedIn(text)
      const isThere = (variable: string): boolean => Object.hasOwn(environment, variable)
      const described = pasted.servers.map((server) =>
        withTools(describePasted(server, installations, isThere), server),
      )
      return { kind: 'servers', servers: described }
    },
    'configuration.add': async ({ text, choices }) => {
      const pasted = await read(text, choices)
      const chosen = choices.map(({ index }) => chosenOf(pasted, index))
      return installed.addMany(chosen)
    },
  }
}

function withTools(described: ConfiguredServer, server: PastedServer): ConfiguredServer {
  const toolsText = server.kind === 'usable' ? describeToolChoice(server.tools) : undefined
  if (toolsText === undefined) return described
  const notice = { path: server.path, message: toolsText }
  return { ...described, notices: [notice, ...described.notices] }
}

function chosenOf(pasted: PastedText, index: number): UsableServer {
  const servers = pasted.kind === 'servers' ? pasted.servers : []
  const server = servers.find((one) => one.index === index)
  if (server?.kind !== 'usable')
    throw new AppError(
      'INVALID_CONFIG',
      `Server ${String(index + 1)} in the text changed since it was shown.`,
      { hint: 'Read the text again, then choose.' },
    )
  return server
}

/** Handlers of an installed server's other versions. */
function updateHandlers(
  { catalog, registry }: CatalogModule,
  installations: InstallationService,
  installed: InstalledServers,
): HandlersOf<'update'> {
  const versionAt = async (
    installationId: string,
    entryId: string,
  ): Promise<[Installation, CatalogEntry]> => {
    const installation = installations.read(installationId)
    if (installation.source === 'hand') throw noVersions(installation)
    const entry = await catalog.find(entryId)
    if (isVersionOf(entry, installation)) return [installation, entry]
    // An update carries the secrets over, so it must be the same server.
    throw new AppError(
      'INVALID_REQUEST',
      `${entry.server.name} isn’t a version of ${installation.server.name}.`,
      {
        hint: 'Choose another version of the same server.',
      },
    )
  }
  return {
    'update.check': async ({ installationId }) => {
      const installation = readVersioned(installations, installationId)
      const { server, sourceId = OFFICIAL_SOURCE } = installation
      const latest = await registry.fetchLatest({ sourceId, name: server.name })
      if (latest) catalog.remember([latest])
      return knownUpdate(catalog, installation) ?? null
    },
    'update.review': async ({ installationId, entryId }) =>
      reviewUpdate(installations, ...(await versionAt(installationId, entryId))),
    'update.apply': async ({ installationId, entryId, offer, start, ...draft }) => {
      const [, entry] = await versionAt(installationId, entryId)
      return { earlier: await installed.upgrade(installationId, entry, offer, draft, { start }) }
    },
    'update.earlier': ({ installationId }) => viewEarlier(installations, installationId),
    'update.rollBack': ({ installationId, versionKey, start }) =>
      installed.rollBack(installationId, versionKey, { start }),
  }
}

/** Reads an installation with versions. Throws NOT_FOUND, and NOT_AVAILABLE_HERE if no registry has it. */
function readVersioned(installations: InstallationService, installationId: string): Installation {
  const installation = installations.read(installationId)
  if (hasVersions(installation)) return installation
  throw noVersions(installation)
}

function noVersions({ name, source }: Installation): AppError {
  const [why, hint] =
    source === 'hand'
      ? [
          'was added manually, so there is no newer version to compare.',
          'Change it under Configure.',
        ]
      : [
          'is a bundle from this computer, so no registry has a newer version.',
          'Open a newer bundle file to update it.',
        ]
  return new AppError('NOT_AVAILABLE_HERE', `${name} ${why}`, { hint })
}
