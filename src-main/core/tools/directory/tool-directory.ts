import { type Placement, placeServer } from './place-server'
import { type ListedServer, type ResolvedServer, type ResolvedTool } from './resolved-server'

/** All tools at one moment. What did not change since the one before is the same object: the whole, a server, a tool. */
export type DirectorySnapshot = {
  /** Rises whenever anything here becomes another (C5). */
  readonly generation: number
  /** By the id of the installation, in their order. */
  readonly servers: ReadonlyMap<string, ResolvedServer>
  /** In the order of servers and of their lists. */
  readonly tools: readonly ResolvedTool[]
  /** The exposed ones. */
  readonly byExposedName: ReadonlyMap<string, ResolvedTool>
}

/** One map of exposed name to server and tool (C4, C5). Reading it never waits. */
export class ToolDirectory {
  #placements: readonly Placement[] = []
  #snapshot: DirectorySnapshot = {
    generation: 0,
    servers: new Map(),
    tools: [],
    byExposedName: new Map(),
  }

  get snapshot(): DirectorySnapshot {
    return this.#snapshot
  }

  /** Makes the servers those given, in this order; whether anything changed. */
  set(servers: readonly ListedServer[]): boolean {
    const before = new Map(this.#placements.map((one) => [one.resolved.installationId, one]))
    const placements = servers.map((server) =>
      placeServer(server, before.get(server.installationId)),
    )
    const isSame =
      placements.length === this.#placements.length &&
      placements.every(({ resolved }, index) => resolved === this.#placements[index]?.resolved)
    this.#placements = placements
    if (isSame) return false
    const resolved = placements.map((one) => one.resolved)
    this.#snapshot = snapshotOf(resolved, this.#snapshot.generation + 1)
    return true
  }
}

function snapshotOf(resolved: readonly ResolvedServer[], generation: number): DirectorySnapshot {
  const servers = new Map(resolved.map((server) => [server.installationId, server]))
  const tools = resolved.flatMap((server) => server.tools)
  const byExposedName = new Map<string, ResolvedTool>()
  for (const tool of tools) {
    if (tool.exposure === 'exposed' && tool.exposedName !== undefined)
      byExposedName.set(tool.exposedName, tool)
  }
  return { generation, servers, tools, byExposedName }
}
