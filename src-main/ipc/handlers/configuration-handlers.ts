import { homedir } from 'node:os'

import { AppError, type AppErrorShape } from '../../../src-shared/domain/app-error'
import type { AddedServer, ServerChoice } from '../../../src-shared/domain/configuration'
import { saveHand } from '../../core/by-hand/save-hand'
import type { Catalog } from '../../core/catalog/catalog'
import { describePasted } from '../../core/configuration/describe-pasted'
import {
  type PastedServer,
  type PastedText,
  readConfiguration,
} from '../../core/configuration/pasted-configuration'
import type { InstallationService } from '../../core/installation/installation-service'
import type { InstallationStore } from '../../core/installation/installation-store'
import type { ServerDirectory } from '../../core/session/server-directory'
import type { StateFeed } from '../../core/state-feed'
import type { Handlers } from '../answer'

export type ConfigurationParts = {
  readonly catalog: Catalog
  readonly store: InstallationStore
  readonly installations: InstallationService
  readonly servers: ServerDirectory
  readonly feed: StateFeed
}

/** Reads pasted configurations and adds the servers that the person chose of them; none is started. */
export function configurationHandlers({
  catalog,
  store,
  installations,
  servers,
  feed,
}: ConfigurationParts): Pick<Handlers, 'configuration.read' | 'configuration.add'> {
  const environment = process.env
  const read = (text: string, choices: readonly ServerChoice[]): Promise<PastedText> => {
    const takenNames = store.installations.map(({ name }) => name)
    return readConfiguration(text, choices, { home: homedir(), environment, takenNames }, catalog)
  }
  const isThere = (variable: string): boolean => Object.hasOwn(environment, variable)
  return {
    'configuration.read': async ({ text, choices }) => {
      const pasted = await read(text, choices)
      if (pasted.kind !== 'servers') return pasted
      const described = pasted.servers.map((server) =>
        describePasted(server, installations, isThere),
      )
      return { kind: 'servers', servers: described }
    },
    'configuration.add': async ({ text, choices }) => {
      const pasted = await read(text, choices)
      const chosen = choices.map(({ index }) => chosenOf(pasted, index))
      const added: AddedServer[] = []
      for (const { index, name, drafted } of chosen) {
        const { made, cwd } = drafted
        const save = { name, made, cwd, budgets: {}, enabled: false, asItIs: true }
        try {
          const { installationId } = await saveHand(installations, save, undefined)
          servers.add(installationId)
          feed.serverChanged(installationId)
          added.push({ installationId, name, index })
        } catch (error) {
          return { added, problem: notAdded(name, error) }
        }
      }
      return { added, problem: null }
    },
  }
}

function chosenOf(pasted: PastedText, index: number): Extract<PastedServer, { kind: 'usable' }> {
  const servers = pasted.kind === 'servers' ? pasted.servers : []
  const server = servers.find((one) => one.index === index)
  if (server?.kind !== 'usable') throw gone(index)
  return server
}

/** Anything but an AppError is a defect and thrown on. */
function notAdded(name: string, error: unknown): AppErrorShape {
  if (!(error instanceof AppError)) throw error
  const { code, message, hint } = error
  return { code, message: `${name} was not added. ${message}`, hint }
}

function gone(index: number): AppError {
  return new AppError(
    'INVALID_CONFIG',
    `Server ${String(index + 1)} of the text is not the one that was shown.`,
    { hint: 'Read the text again, then choose.' },
  )
}
