import { isDeepStrictEqual } from 'node:util'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { SecurityWarning, ToolExposure } from '../../../../src-shared/domain/agents/tools'
import type { SavedToolChoice, ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { sameWhereEqual } from '../../lifecycle/same-object'
import { agentDefinition } from '../definitions/agent-definition'
import { nameTools } from '../names/tool-names'
import type { PinnedTool } from '../pins/pin-records'

/** A tool of a server's list with its decision. */
export type ListedTool = PinnedTool & {
  readonly tool: Tool
  readonly securityWarnings: readonly SecurityWarning[]
}

/** A server with its lists; `alias` is unique regardless of case. */
export type ListedServer = {
  readonly installationId: string
  readonly alias: string
  readonly isEnabled: boolean
  readonly choice: SavedToolChoice
  readonly tools: readonly ListedTool[]
  /** What else agents get of it, such as its name and its resources. Compared by value, because a change raises the generation. */
  readonly alsoListed?: unknown
}

/** A tool with its exposed name and exposure. */
export type ResolvedTool = ListedTool & {
  readonly installationId: string
  readonly exposedName: string | undefined
  readonly exposure: ToolExposure
  readonly reason: string | undefined
}

/** A server with its resolved tools, in the order of its list. */
export type ResolvedServer = Omit<ListedServer, 'tools'> & {
  readonly tools: readonly ResolvedTool[]
  /** Selected names that its list lacks (C7). */
  readonly unknown: readonly string[]
}

/** A resolved server with its input, so that the next update only resolves changes. */
type Placement = {
  readonly server: ListedServer
  readonly resolved: ResolvedServer
}

const EXPOSURES = {
  approved: 'exposed',
  new: 'needsReview',
  changed: 'needsReview',
  refused: 'rejected',
} as const

/** Resolves a server's tools; parts that equal `before` are the same objects. */
function resolveServer(server: ListedServer, before: Placement | undefined): Placement {
  if (before && isDeepStrictEqual(before.server, server)) return before
  const { tools: listed, ...others } = server
  const names = listed.map(({ tool }) => tool.name)
  const { isChosen, unknown } = selectTools(server.choice, names)
  const namings = nameTools(server.alias, names)
  const previous = before?.resolved.tools ?? []
  const byName = new Map(previous.map((tool) => [tool.tool.name, tool]))
  const tools = listed.map((one, index): ResolvedTool => {
    const { fault } = agentDefinition('Tool', one.tool)
    const naming = fault === undefined ? (namings[index] ?? { reason: '' }) : { reason: fault }
    const { exposedName, reason } = naming
    const exposure = exposureOf(one, server.isEnabled, isChosen[index] ?? false)
    const now: ResolvedTool = {
      ...{ ...one, installationId: server.installationId, exposedName },
      ...(reason === undefined ? exposure : { exposure: 'quarantined', reason }),
    }
    // Duplicate names keep their order.
    const there = previous[index]
    const old = there?.tool.name === one.tool.name ? there : byName.get(one.tool.name)
    return old && isDeepStrictEqual(old, now) ? old : now
  })
  const resolved = { ...others, unknown, tools: sameWhereEqual(before?.resolved.tools, tools) }
  return { server, resolved: sameWhereEqual(before?.resolved, resolved) }
}

function exposureOf(
  { pinState }: ListedTool,
  isEnabled: boolean,
  isChosen: boolean,
): Pick<ResolvedTool, 'exposure' | 'reason'> {
  if (!isEnabled) return { exposure: 'off', reason: 'The server is turned off.' }
  return { exposure: isChosen ? EXPOSURES[pinState] : 'off', reason: undefined }
}

/** All tools at one moment. Parts that are unchanged since the previous one are the same objects: the whole, a server, a tool. */
export type DirectorySnapshot = {
  /** Increases with every change (C5). */
  readonly generation: number
  /** By installation id, in their order. */
  readonly servers: ReadonlyMap<string, ResolvedServer>
  /** In the order of servers and of their lists. */
  readonly tools: readonly ResolvedTool[]
}

/** Every tool of all servers with its exposed name (C4, C5). Reading never waits. */
export class ToolDirectory {
  #placements: readonly Placement[] = []
  #snapshot: DirectorySnapshot = {
    generation: 0,
    servers: new Map(),
    tools: [],
  }

  get snapshot(): DirectorySnapshot {
    return this.#snapshot
  }

  /** Replaces the servers, in this order; returns whether anything changed. */
  set(servers: readonly ListedServer[]): boolean {
    const before = new Map(this.#placements.map((one) => [one.resolved.installationId, one]))
    const placements = servers.map((server) =>
      resolveServer(server, before.get(server.installationId)),
    )
    const isSame =
      placements.length === this.#placements.length &&
      placements.every(({ resolved }, index) => resolved === this.#placements[index]?.resolved)
    this.#placements = placements
    if (isSame) return false
    this.#snapshot = {
      generation: this.#snapshot.generation + 1,
      servers: new Map(placements.map(({ resolved }) => [resolved.installationId, resolved])),
      tools: placements.flatMap(({ resolved }) => resolved.tools),
    }
    return true
  }
}

/** The selected tools of a list, in its order, and the selected names that it lacks (C7). */
type ToolSelection = {
  readonly isChosen: readonly boolean[]
  readonly unknown: readonly string[]
}

/** Applies a selection to the names of a server's list. */
export function selectTools(choice: SavedToolChoice, names: readonly string[]): ToolSelection {
  if (choice.kind === 'except') {
    const hidden = new Set(choice.names)
    return { isChosen: names.map((name) => !hidden.has(name)), unknown: [] }
  }
  if (choice.kind !== 'list')
    return { isChosen: names.map(() => choice.kind === 'all'), unknown: [] }
  const chosen = new Set(choice.names)
  const listed = new Set(names)
  return {
    isChosen: names.map((name) => chosen.has(name)),
    unknown: [...chosen].filter((name) => !listed.has(name)),
  }
}

/** Returns the selection as a user sees it: all except some becomes a list of the current names. */
export function shownChoice(choice: SavedToolChoice, names: readonly string[]): ToolChoice {
  if (choice.kind !== 'except') return choice
  const { isChosen } = selectTools(choice, names)
  return { kind: 'list', names: names.filter((_, index) => isChosen[index]) }
}
