import type { LogArchive } from '../../core/log/log-archive'
import type { ServerDirectory } from '../../core/session/server-directory'
import type { Handlers } from '../answer'

export type ServerParts = { readonly servers: ServerDirectory; readonly archive: LogArchive }

/** Answers start, stop and what a running server shows and leaves in its log files. */
export function serverHandlers({
  servers,
  archive,
}: ServerParts): Pick<Handlers, Extract<keyof Handlers, `server.${string}` | `log.${string}`>> {
  return {
    'server.start': ({ installationId }) => {
      // One that runs already is as wanted.
      servers.read(installationId).supervisor.start()
    },
    'server.stop': ({ installationId }) => servers.read(installationId).supervisor.stopOrEscalate(),
    'server.restart': ({ installationId }) => servers.read(installationId).supervisor.restart(),
    'server.capabilities': ({ installationId }) =>
      servers.read(installationId).supervisor.capabilities,
    'log.read': ({ installationId, afterSeq, limit }) =>
      servers.read(installationId).log.read(afterSeq, limit),
    'log.clear': ({ installationId }) => servers.read(installationId).log.clear(),
    'log.usage': () => archive.usage(),
    'log.clearFiles': () => archive.clear(),
  }
}
