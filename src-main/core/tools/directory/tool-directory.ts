import { isDeepStrictEqual } from 'node:util'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { SecurityWarning, ToolExposure } from '../../../../src-shared/domain/agents/tools'
import type { SavedToolChoice, ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { sameWhereEqual } from '../../lifecycle/same-object'
import { agentDefinition } from '../definitions/agent-definition'
import { nameTools, type Naming } from '../names/tool-names'
import type { PinnedTool, PinState } from '../pins/pin-records'

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
  if (before !== undefined && isSameServer(before.server, server)) return before
  return { server, resolved: settle(placeTools(server, before?.resolved), before?.resolved) }
}

function placeTools(server: ListedServer, before: ResolvedServer | undefined): ResolvedServer {
  const { installationId, alias, isEnabled, choice, alsoListed } = server
  const names = server.tools.map(({ tool }) => tool.name)
  const { isChosen, unknown } = selectTools(choice, names)
  const namings = nameTools(alias, names)
  // A definition that was listed before was validated then.
  const known = new Map(before?.tools.map(({ hash, tool }) => [hash, tool]))
  const tools = server.tools.map((listed, index) => {
    const { fault } = agentDefinition('Tool', known.get(listed.hash) ?? listed.tool)
    const naming = fault === undefined ? (namings[index] ?? { reason: '' }) : { reason: fault }
    const place = placeOf(naming, listed.pinState, {
      isEnabled,
      isChosen: isChosen[index] ?? false,
    })
    return { ...listed, installationId, exposedName: naming.exposedName, ...place }
  })
  return { installationId, alias, isEnabled, choice, alsoListed, unknown, tools }
}

function placeOf(
  { reason }: Naming,
  pinState: PinState,
  { isEnabled, isChosen }: { readonly isEnabled: boolean; readonly isChosen: boolean },
): Pick<ResolvedTool, 'exposure' | 'reason'> {
  if (reason !== undefined) return { exposure: 'quarantined', reason }
  if (!isEnabled) return { exposure: 'off', reason: 'The server is turned off.' }
  return { exposure: isChosen ? EXPOSURES[pinState] : 'off', reason: undefined }
}

/** What is the same in both is that of `before`. */
function settle(now: ResolvedServer, before: ResolvedServer | undefined): ResolvedServer {
  if (before === undefined) return now
  const known = new Map(before.tools.map((tool) => [tool.tool.name, tool]))
  const tools = now.tools.map((tool, index) => {
    const there = before.tools[index]
    const old = there?.tool.name === tool.tool.name ? there : known.get(tool.tool.name)
    return old !== undefined && isSameTool(old, tool) ? old : tool
  })
  return sameWhereEqual(before, { ...now, tools: sameWhereEqual(before.tools, tools) })
}

function isSameServer(
  { tools, ...a }: ListedServer,
  { tools: others, ...b }: ListedServer,
): boolean {
  return tools === others && isDeepStrictEqual(a, b)
}

/** A hash stands for the definition of its tool. */
function isSameTool(one: ResolvedTool, other: ResolvedTool): boolean {
  const [{ tool: _, ...a }, { tool: __, ...b }] = [one, other]
  return isDeepStrictEqual(a, b)
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
    const resolved = placements.map((one) => one.resolved)
    this.#snapshot = snapshotOf(resolved, this.#snapshot.generation + 1)
    return true
  }
}

function snapshotOf(resolved: readonly ResolvedServer[], generation: number): DirectorySnapshot {
  const servers = new Map(resolved.map((server) => [server.installationId, server]))
  const tools = resolved.flatMap((server) => server.tools)
  return { generation, servers, tools }
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
