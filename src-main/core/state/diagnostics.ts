import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { AppState, ServerView } from '../../../src-shared/domain/state/app-state'
import { Settings } from '../../../src-shared/domain/state/settings'

/**
 * Facts for finding a fault, as JSON to read before sending: versions, changed settings, and each server's status. Contains no message,
 * address, path, argument, variable or log line; the caller masks known secrets.
 */
export function diagnosticsOf(
  { info, settings, secretStore, servers, agents, catalog }: AppState,
  versions: NodeJS.ProcessVersions,
): string {
  const { version, wayIn, platform, arch } = info
  const { node, electron } = versions
  const { gateway } = agents
  return JSON.stringify(
    {
      patchbay: { version, wayIn, platform, arch, node, ...(electron && { electron }) },
      secrets: secretStore.kind,
      gateway: gateway.kind,
      settings: changedSettings(settings),
      registries: catalog.sources.length,
      servers: servers.map(serverFacts),
      apps: agents.agents.map(({ app, connections, exposed, calls, errors }) => ({
        ...{ app: app && `${app.name} ${app.version ?? ''}`.trim() },
        ...{ connections, tools: exposed, calls, errors },
      })),
    },
    undefined,
    2,
  )
}

/** Text settings may name the user's hosts and folders, so only their presence is reported. */
function changedSettings(settings: Settings): Record<string, unknown> {
  const standard = Settings.parse({})
  const keys = Settings.keyof().options.filter(
    (key) => JSON.stringify(settings[key]) !== JSON.stringify(standard[key]),
  )
  return Object.fromEntries(
    keys.map((key) => {
      const value = settings[key]
      const isPlain = typeof value === 'number' || typeof value === 'boolean'
      const isChoice = ['theme', 'density', 'setup', 'proxyMode'].includes(key)
      return [key, isPlain || isChoice ? value : 'changed']
    }),
  )
}

function serverFacts(server: ServerView): Record<string, unknown> {
  const { entryName, entryVersion, registryType, enabled, status, restarts, counts } = server
  const { protocolVersion, serverVersion, protocolWarnings, phases } = server
  return {
    ...{ entry: `${entryName} ${entryVersion}`.trim(), registryType, enabled },
    status: status.kind,
    ...(isFailed(status) && {
      error: { code: status.code, cause: status.cause?.causeId },
    }),
    ...{ restarts, tools: counts.tools, protocolVersion, serverVersion },
    warnings: protocolWarnings.length,
    phases: phases.map(({ phase, outcome, startedAt, endedAt }) => ({
      ...{ phase, outcome, ms: endedAt === undefined ? undefined : endedAt - startedAt },
    })),
  }
}
