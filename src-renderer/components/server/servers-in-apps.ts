import type { HostsState } from '../../../src-shared/domain/agents/host'

/** How many servers the apps of this computer have, those that lead to Patchbay left out; a file that several apps read counts once. */
export function serversInApps({ hosts }: Pick<HostsState, 'hosts'>): number {
  const files = new Map(hosts.flatMap(({ files: own }) => own).map((file) => [file.path, file]))
  return [...files.values()].reduce((sum, { state, connections }) => {
    const own = connections.filter((one) => one.state !== 'gone').length
    return sum + (state.kind === 'read' ? Math.max(0, state.servers - own) : 0)
  }, 0)
}
