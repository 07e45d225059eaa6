import { AppError } from '../../../../src-shared/domain/app-error'
import type { RunStatus } from '../../../../src-shared/domain/running/run-status'
import type { InstallationService } from '../../../core/installation/installation-service'
import type { InstalledServers } from '../../../core/installed/installed-servers'
import type { LogArchive } from '../../../core/log/log-archive'
import type { LogReader } from '../../../core/log/log-reader'
import type { ServerDirectory } from '../../../core/servers/server-directory'
import { shownCapabilities } from '../../../core/tools/shown-capabilities'
import type { Tools } from '../../../core/tools/tools'
import type { Handlers } from '../../answer'

export type ServerParts = {
  readonly servers: ServerDirectory
  readonly archive: LogArchive
  readonly lines: LogReader
  /** Shows a file in the system's own program for files; missing where the page is in a browser. */
  readonly showFile?: ((path: string) => void) | undefined
  readonly tools: Tools
  readonly installed: InstalledServers
  readonly installations: InstallationService
}

/** Answers start, stop and what a running server shows and leaves in its log files. */
export function serverHandlers({
  servers,
  archive,
  lines,
  showFile,
  tools,
  installed,
  installations,
}: ServerParts): Pick<Handlers, Extract<keyof Handlers, `server.${string}` | `log.${string}`>> {
  return {
    'server.start': ({ installationId }) => {
      // One that runs already is as wanted.
      servers.read(installationId).start()
    },
    'server.stop': ({ installationId }) => servers.read(installationId).stopOrEscalate(),
    'server.restart': ({ installationId }) => servers.read(installationId).restart(),
    'server.reconnect': ({ installationId }) => {
      const server = servers.read(installationId)
      if (!server.reconnect()) throw notServingError(server.status)
    },
    'server.repair': ({ installationId }) => installed.repair(installationId),
    'server.setSharing': ({ installationId, sharing }) => {
      installations.setSharing(installationId, sharing)
      void servers.read(installationId).instances?.stop()
      tools.installationsChanged()
    },
    'server.endInstance': ({ installationId, instanceId }) => {
      // One that has ended is as wanted.
      servers.read(installationId).instances?.endOne(instanceId)
    },
    'server.capabilities': ({ installationId }) => {
      servers.read(installationId)
      return shownCapabilities(tools.capabilitiesOf(installationId))
    },
    'server.findPort': ({ installationId, taken }) => installed.findPort(installationId, taken),
    'log.rows': ({ query, from, count, search }) => lines.rows(query, from, count, search),
    'log.find': ({ query, search, from, step }) => lines.find(query, search, from, step),
    'log.landmark': ({ query, kind, from, step }) => lines.landmark(query, kind, from, step),
    'log.showFile': ({ installationId }) => {
      servers.read(installationId)
      const path = archive.pathOf(installationId)
      showFile?.(path)
      return { path, isShown: showFile !== undefined }
    },
    'log.usage': () => archive.usage(),
    'log.clearFiles': () => archive.clear(),
  }
}

function notServingError({ kind }: RunStatus): AppError {
  const isOnItsWay = kind === 'starting' || kind === 'stopping'
  const state = isOnItsWay ? kind : 'not running'
  return new AppError('INVALID_REQUEST', `Not reconnected: the server is ${state}.`, {
    hint: isOnItsWay ? 'Wait until it is done.' : 'Start the server.',
  })
}
