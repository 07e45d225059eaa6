import type { InstallationService } from '../../core/installation/installation-service'
import type { ServerDirectory } from '../../core/servers/server-directory'
import { ViewListener } from '../../core/views/view-listener'
import { Views } from '../../core/views/views'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'
import type { ToolRunsModule } from './tool-runs'

export type ViewsModule = {
  readonly handlers: HandlersOf<'view'>
  readonly isViewAddress: (address: string) => boolean
  /** Frees the port of views. */
  close(): Promise<void>
}

/** Opens the views of tools (MCP Apps); the first one opens their port. */
export function openViews(
  { store, time }: AppContext,
  servers: ServerDirectory,
  installations: InstallationService,
  { toolRuns }: ToolRunsModule,
): ViewsModule {
  const listener = new ViewListener(time)
  const views = new Views({
    ...{ listener, servers, runs: toolRuns },
    allowed: {
      of: (installationId) => store.find(installationId)?.viewDomains,
      set: (installationId, viewDomains) => installations.set(installationId, { viewDomains }),
    },
    now: () => time.monotonic(),
  })
  return {
    handlers: {
      'view.read': (tool) => views.read(tool),
      'view.open': (request) => views.open(request),
      'view.request': (request) => views.request(request),
      'view.blocked': ({ viewId }) => views.blocked(viewId),
      'view.close': ({ viewId }) => views.close(viewId),
    },
    isViewAddress: (address) => listener.isIssued(address),
    close: () => listener.close(),
  }
}
