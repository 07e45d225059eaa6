import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { SecurityWarning, ToolExposure } from '../../../../src-shared/domain/agents/tools'
import type { SavedToolChoice } from '../../../../src-shared/domain/tool-choice'
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
