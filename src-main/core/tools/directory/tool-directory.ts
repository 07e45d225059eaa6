import { isDeepStrictEqual } from 'node:util'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { SecurityWarning, ToolExposure } from '../../../../src-shared/domain/agents/tools'
import type { SavedToolChoice, ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { sameWhereEqual } from '../../lifecycle/same-object'
import { agentDefinition } from '../definitions/agent-definition'
import { nameTools } from '../names/tool-names'
import type { PinnedTool } from '../pins/pin-records'

/** A tool as its server lists it, judged. */
export type ListedTool = PinnedTool & {
  readonly tool: Tool
  readonly securityWarnings: readonly SecurityWarning[]
}

/** A server with what it lists; `alias` is unique whatever its case. */
export type ListedServer = {
  readonly installationId: string
  readonly alias: string
  readonly isEnabled: boolean
  readonly choice: SavedToolChoice
  readonly tools: readonly ListedTool[]
  /** What else agents get of it, such as its name and its resources: compared by what it holds, as it changes the generation. */
  readonly alsoListed?: unknown
}

/** A tool in its place. */
export type ResolvedTool = ListedTool & {
  readonly installationId: string
  readonly exposedName: string | undefined
  readonly exposure: ToolExposure
  readonly reason: string | undefined
}

/** A server with its tools in their places, in the order of its list. */
export type ResolvedServer = Omit<ListedServer, 'tools'> & {
  readonly tools: readonly ResolvedTool[]
  /** Chosen names that its list does not have (C7). */
  readonly unknown: readonly string[]
}

/** A server in its place, and what that was made of, so that the next time only what changed is made again. */
type Placement = {
  readonly server: ListedServer
  readonly resolved: ResolvedServer
}

const EXPOSURES = { approved: 'exposed', new: 'held', changed: 'held', refused: 'refused' } as const

/** Puts the tools of a server in their places; what is as `before` is the same object. */
function placeServer(server: ListedServer, before: Placement | undefined): Placement {
  if (before && isDeepStrictEqual(before.server, server)) return before
  const { tools: listed, ...others } = server
  const names = listed.map(({ tool }) => tool.name)
  const { isChosen, unknown } = selectTools(server.choice, names)
  const namings = nameTools(server.alias, names)
  const known = before?.resolved.tools ?? []
  const byName = new Map(known.map((tool) => [tool.tool.name, tool]))
  const tools = listed.map((one, index): ResolvedTool => {
    const { fault } = agentDefinition('Tool', one.tool)
    const naming = fault === undefined ? (namings[index] ?? { reason: '' }) : { reason: fault }
    const { exposedName, reason } = naming
    const exposure = exposureOf(one, server.isEnabled, isChosen[index] ?? false)
    const now: ResolvedTool = {
      ...{ ...one, installationId: server.installationId, exposedName },
      ...(reason === undefined ? exposure : { exposure: 'quarantined', reason }),
    }
    // Of two of the same name each stays in its place.
    const there = known[index]
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

/** All tools at one moment. What did not change since the one before is the same object: the whole, a server, a tool. */
export type DirectorySnapshot = {
  /** Rises whenever anything here becomes another (C5). */
  readonly generation: number
  /** By the id of the installation, in their order. */
  readonly servers: ReadonlyMap<string, ResolvedServer>
  /** In the order of servers and of their lists. */
  readonly tools: readonly ResolvedTool[]
}

/** Of all servers, each tool with its exposed name (C4, C5). Reading it never waits. */
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
    this.#snapshot = {
      generation: this.#snapshot.generation + 1,
      servers: new Map(placements.map(({ resolved }) => [resolved.installationId, resolved])),
      tools: placements.flatMap(({ resolved }) => resolved.tools),
    }
    return true
  }
}

/** Which tools of a list are chosen, in its order, and the chosen names that it does not have (C7). */
type ToolSelection = {
  readonly isChosen: readonly boolean[]
  readonly unknown: readonly string[]
}

/** Applies a choice to the names that a server lists. */
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

/** The choice as a user sees it: what is left of all tools is a list, of the names that the server lists by now. */
export function shownChoice(choice: SavedToolChoice, names: readonly string[]): ToolChoice {
  if (choice.kind !== 'except') return choice
  const { isChosen } = selectTools(choice, names)
  return { kind: 'list', names: names.filter((_, index) => isChosen[index]) }
}
