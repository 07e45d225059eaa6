import type { HostServer } from '../../../src-shared/domain/agents/host'
import type { ConfiguredServer } from '../../../src-shared/domain/installation/configuration'
import type { CommandPreview } from '../../../src-shared/domain/installation/launch-plan'

/** What a test server would run. */
export function command(change: Partial<CommandPreview> = {}): CommandPreview {
  return {
    kind: 'command',
    command: 'node',
    args: [],
    env: [],
    packageName: 'node',
    planHash: 'hash',
    problems: [],
    warnings: [],
    ...change,
  }
}

/** A server of a host in a test; it runs the same as others of its name. */
export function server(
  entryName: string,
  hostName: string,
  change: Partial<HostServer> = {},
  configured: Partial<ConfiguredServer> = {},
): HostServer {
  return {
    fileId: `file:${hostName}`,
    entryName,
    hostName,
    hostPath: `/home/${hostName}.json`,
    isOn: true,
    sameAs: entryName,
    ...change,
    server: {
      index: 0,
      name: entryName,
      path: entryName,
      preview: command(),
      secrets: [],
      environment: [],
      toFill: [],
      adjustments: [],
      notices: [],
      ...configured,
    },
  }
}
