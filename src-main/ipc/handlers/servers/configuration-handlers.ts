import { homedir } from 'node:os'

import { AppError } from '../../../../src-shared/domain/app-error'
import type {
  ConfiguredServer,
  ServerChoice,
} from '../../../../src-shared/domain/installation/configuration'
import type { Catalog } from '../../../core/catalog/catalog'
import { describePasted } from '../../../core/import/describe-pasted'
import { type PastedText, readConfiguration } from '../../../core/import/pasted-configuration'
import type { PastedServer } from '../../../core/import/read-server'
import { toolsInWords } from '../../../core/import/tool-list'
import type { InstallationService } from '../../../core/installation/installation-service'
import type { ProfileDocument } from '../../../core/installation/store/profile-document'
import type { UsableServer } from '../../../core/installed/add-servers'
import type { InstalledServers } from '../../../core/installed/installed-servers'
import type { ComputerVariables } from '../../../core/launch/environment/computer-variables'
import type { Handlers } from '../../answer'

export type ConfigurationParts = {
  readonly catalog: Catalog
  readonly store: ProfileDocument
  readonly installations: InstallationService
  readonly installed: InstalledServers
  readonly variables: Pick<ComputerVariables, 'namedIn'>
}

/** Reads pasted configurations and adds the servers that the user chose of them; those that were approved start. */
export function configurationHandlers({
  catalog,
  store,
  installations,
  installed,
  variables,
}: ConfigurationParts): Pick<Handlers, 'configuration.read' | 'configuration.add'> {
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
  const words = server.kind === 'usable' ? toolsInWords(server.tools) : undefined
  if (words === undefined) return described
  const notice = { path: server.path, message: words }
  return { ...described, notices: [notice, ...described.notices] }
}

function chosenOf(pasted: PastedText, index: number): UsableServer {
  const servers = pasted.kind === 'servers' ? pasted.servers : []
  const server = servers.find((one) => one.index === index)
  if (server?.kind !== 'usable') throw gone(index)
  return server
}

function gone(index: number): AppError {
  return new AppError(
    'INVALID_CONFIG',
    `Server ${String(index + 1)} in the text changed since it was shown.`,
    { hint: 'Read the text again, then choose.' },
  )
}
