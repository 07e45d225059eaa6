import type { ToolAnnotations } from '../../../src-shared/domain/agents/capability'
import type {
  ServerTools,
  ToolExposure,
  ToolsState,
  ToolView,
} from '../../../src-shared/domain/agents/tools'
import { isJsonObject } from '../../../src-shared/domain/server-json/tolerant-reader'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { ServerDirectory } from '../servers/server-directory'
import { modelProblems } from './definitions/model-schema'
import type { KeptListing } from './directory/listing-files'
import type { ResolvedTool } from './directory/resolved-server'
import type { DirectorySnapshot } from './directory/tool-directory'
import { shownChoice } from './directory/tool-selection'
import { type TokenCounter, tokenKey } from './tokens/token-counter'
import type { ToolUses } from './tool-uses'

const SHOWN_DESCRIPTION = 300
const SHOWN_TITLE = 200

/** A placed tool as a row shows it, with its texts cut, and without annotations that Patchbay does not know. Its name is the key that names it everywhere, and is whole. */
export function toolView(
  resolved: ResolvedTool,
  {
    counter,
    uses,
  }: { readonly counter: Pick<TokenCounter, 'of'>; readonly uses: Pick<ToolUses, 'of'> },
): ToolView {
  const { tool, installationId, exposedName, exposure, verdict, reason, hash, securityWarnings } =
    resolved
  return {
    installationId,
    name: tool.name,
    exposedName,
    title: tool.title?.slice(0, SHOWN_TITLE),
    description: tool.description?.slice(0, SHOWN_DESCRIPTION),
    annotations: tool.annotations && shownAnnotations(tool.annotations),
    exposure,
    change: verdict === 'new' || verdict === 'changed' ? verdict : undefined,
    reason,
    hash,
    tokens: counter.of(tokenKey(resolved)),
    securityWarnings: [...securityWarnings],
    schemaWarnings: schemaWarnings(tool),
    ...uses.of(installationId, tool.name),
  }
}

const WARNINGS = new WeakMap<ResolvedTool['tool'], string[]>()

function schemaWarnings(tool: ResolvedTool['tool']): string[] | undefined {
  const known = WARNINGS.get(tool)
  const { inputSchema } = tool
  const warnings = known ?? (isJsonObject(inputSchema) ? modelProblems(inputSchema) : [])
  if (!known) WARNINGS.set(tool, warnings)
  return warnings.length > 0 ? warnings : undefined
}

function shownAnnotations(all: ToolAnnotations): ToolAnnotations {
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = all
  const hints = { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }
  return { title: title?.slice(0, SHOWN_TITLE), ...hints }
}

/** The definition of a tool as an agent gets it; its tokens are counted over it. */
export function toolText({ exposedName, tool }: ResolvedTool): string {
  const { description, inputSchema } = tool
  return JSON.stringify({ name: exposedName, description, parameters: inputSchema })
}

type StateParts = {
  readonly store: ProfileDocument
  readonly servers: () => ServerDirectory
  readonly listingOf: (installationId: string) => KeptListing | undefined
  readonly counter: Pick<TokenCounter, 'of'>
}

/** The tools in numbers, for every installation in its order. */
export function toolsState(snapshot: DirectorySnapshot, parts: StateParts): ToolsState {
  const { generation, tools } = snapshot
  const servers = parts.store.installations.map((installation): ServerTools => {
    const { installationId, alias, toolChoice, starts, toolChanges } = installation
    const resolved = snapshot.servers.get(installationId)
    const own = resolved?.tools ?? []
    const listing = parts.listingOf(installationId)
    return {
      installationId,
      alias,
      choice: shownChoice(toolChoice, [...new Set(own.map(({ tool }) => tool.name))]),
      starts,
      changes: toolChanges ?? 'review',
      listedAt: listing?.listedAt,
      isLive: parts.servers().find(installationId)?.serving !== undefined,
      packageVersion: listing?.packageVersion,
      total: own.length,
      ...counts(own),
      doubtful: own.filter((one) => one.exposure === 'exposed' && one.securityWarnings.length > 0)
        .length,
      tokens: tokensOf(own, parts.counter),
      missing: listing && resolved ? [...resolved.unknown] : [],
    }
  })
  const { exposed, held } = counts(tools)
  return {
    generation,
    exposed,
    held,
    tokens: tokensOf(tools, parts.counter),
    servers,
  }
}

function counts(tools: readonly ResolvedTool[]): Record<ToolExposure, number> {
  const found = { exposed: 0, off: 0, held: 0, refused: 0, quarantined: 0 }
  for (const { exposure } of tools) found[exposure] += 1
  return found
}

function tokensOf(
  tools: readonly ResolvedTool[],
  counter: StateParts['counter'],
): number | undefined {
  let sum = 0
  for (const tool of tools) {
    if (tool.exposure !== 'exposed') continue
    const tokens = counter.of(tokenKey(tool))
    if (tokens === undefined) return undefined
    sum += tokens
  }
  return sum
}
