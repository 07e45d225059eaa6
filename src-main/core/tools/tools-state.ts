import type { ToolAnnotations } from '../../../src-shared/domain/agents/capability'
import type {
  OffSuggestion,
  ServerTools,
  ToolExposure,
  ToolsState,
  ToolView,
} from '../../../src-shared/domain/agents/tools'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import type { ProfileDocument } from '../installation/store/profile-document'
import { madeOnce } from '../lifecycle/same-object'
import type { ServerDirectory } from '../servers/server-directory'
import { modelProblems } from './definitions/model-schema'
import type { ListingFiles } from './directory/listing-files'
import { type DirectorySnapshot, type ResolvedTool, shownChoice } from './directory/tool-directory'
import { type TokenCounter, tokenKey } from './tokens/token-counter'
import type { ToolUses } from './tool-uses'

const DAY_MS = 86_400_000
/** A tool called within this time counts as in use. */
const RECENT_DAYS = 7

/**
 * Suggests exposed tools to turn off until at most `limit` are left. Tools that were never called come first, then those not called in 30
 * days, then those not called in the last 7. Among these, less called ones come first, then larger ones. `now` is in epoch ms.
 */
export function suggestOff(
  tools: readonly ToolView[],
  limit: number,
  now: number,
): OffSuggestion[] {
  const exposed = tools.filter(({ exposure }) => exposure === 'exposed')
  const excess = Math.max(0, exposed.length - limit)
  const hasUses = tools.some(({ lastUsedAt }) => lastUsedAt !== undefined)
  return exposed
    .toSorted((a, b) => compare(a, b, now))
    .slice(0, excess)
    .map((tool) => {
      const { installationId, name, tokens } = tool
      const use = hasUses ? useOf(tool, limit, now) : 'No calls yet, sorted by size'
      const size = tokens === undefined ? 'size unknown' : `≈ ${tokens.toLocaleString()} tokens`
      return { installationId, name, tokens, because: `${use}; ${size}.` }
    })
}

function compare(a: ToolView, b: ToolView, now: number): number {
  return (
    rankOf(a, now) - rankOf(b, now) ||
    a.uses - b.uses ||
    (b.tokens ?? 0) - (a.tokens ?? 0) ||
    inText(a.installationId, b.installationId) ||
    inText(a.name, b.name)
  )
}

function rankOf({ uses, lastUsedAt }: ToolView, now: number): number {
  if (lastUsedAt === undefined) return 0
  if (daysSince(lastUsedAt, now) < RECENT_DAYS) return 3
  return uses === 0 ? 1 : 2
}

function useOf(tool: ToolView, limit: number, now: number): string {
  const { uses, lastUsedAt } = tool
  if (lastUsedAt === undefined) return 'Never called'
  if (rankOf(tool, now) === 1) return 'Not called in 30 days'
  const times = uses === 1 ? 'once' : `${uses.toLocaleString()} times`
  const called = `Called ${times} in 30 days, last ${agoOf(daysSince(lastUsedAt, now))}`
  return rankOf(tool, now) === 3
    ? `${called}. Suggested only to reach ${limit.toLocaleString()} ${limit === 1 ? 'tool' : 'tools'}`
    : called
}

/** A future time comes from a wrong clock, and counts as today. */
function daysSince(time: number, now: number): number {
  return Math.max(0, Math.floor((now - time) / DAY_MS))
}

function agoOf(days: number): string {
  if (days === 0) return 'within a day'
  return days === 1 ? 'a day ago' : `${String(days)} days ago`
}

/** Compares by code units, independent of the system's language. */
function inText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const SHOWN_DESCRIPTION = 300
const SHOWN_TITLE = 200

/**
 * Returns a resolved tool as a row shows it: with shortened texts, and without unknown annotations. Its name is its key everywhere, so it
 * stays complete.
 */
export function toolView(
  resolved: ResolvedTool,
  {
    counter,
    uses,
  }: { readonly counter: Pick<TokenCounter, 'of'>; readonly uses: Pick<ToolUses, 'of'> },
): ToolView {
  const { tool, installationId, exposedName, exposure, pinState, reason, hash, securityWarnings } =
    resolved
  return {
    installationId,
    name: tool.name,
    exposedName,
    title: tool.title?.slice(0, SHOWN_TITLE),
    description: tool.description?.slice(0, SHOWN_DESCRIPTION),
    annotations: tool.annotations && shownAnnotations(tool.annotations),
    exposure,
    change: pinState === 'new' || pinState === 'changed' ? pinState : undefined,
    reason,
    hash,
    tokens: counter.of(tokenKey(resolved)),
    securityWarnings: [...securityWarnings],
    schemaWarnings: schemaWarnings(tool),
    ...uses.of(installationId, tool.name),
  }
}

const schemaWarnings = madeOnce(({ inputSchema }: ResolvedTool['tool']): string[] | undefined => {
  const warnings = isJsonObject(inputSchema) ? modelProblems(inputSchema) : []
  return warnings.length > 0 ? warnings : undefined
})

function shownAnnotations(all: ToolAnnotations): ToolAnnotations {
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = all
  const hints = { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }
  return { title: title?.slice(0, SHOWN_TITLE), ...hints }
}

/** Returns a tool's definition as an agent gets it; its tokens are counted. */
export function toolText({ exposedName, tool }: ResolvedTool): string {
  const { description, inputSchema } = tool
  return JSON.stringify({ name: exposedName, description, parameters: inputSchema })
}

type StateParts = {
  readonly store: ProfileDocument
  readonly servers: ServerDirectory
  readonly listingFiles: Pick<ListingFiles, 'read'>
  readonly counter: Pick<TokenCounter, 'of'>
}

/** Returns the numbers of tools for every installation, in order. */
export function toolsState(snapshot: DirectorySnapshot, parts: StateParts): ToolsState {
  const { generation, tools } = snapshot
  const servers = parts.store.installations.map((installation): ServerTools => {
    const { installationId, alias, toolChoice, starts, toolChanges } = installation
    const resolved = snapshot.servers.get(installationId)
    const own = resolved?.tools ?? []
    const listing = parts.listingFiles.read(installationId)
    return {
      installationId,
      alias,
      choice: shownChoice(toolChoice, [...new Set(own.map(({ tool }) => tool.name))]),
      starts,
      changes: toolChanges ?? 'review',
      listedAt: listing?.listedAt,
      isLive: parts.servers.find(installationId)?.liveSession !== undefined,
      packageVersion: listing?.packageVersion,
      total: own.length,
      ...counts(own),
      doubtful: own.filter((one) => one.exposure === 'exposed' && one.securityWarnings.length > 0)
        .length,
      tokens: tokensOf(own, parts.counter),
      missing: listing && resolved ? [...resolved.unknown] : [],
    }
  })
  const { exposed, needsReview } = counts(tools)
  return {
    generation,
    exposed,
    needsReview,
    tokens: tokensOf(tools, parts.counter),
    servers,
  }
}

function counts(tools: readonly ResolvedTool[]): Record<ToolExposure, number> {
  const found = { exposed: 0, off: 0, needsReview: 0, rejected: 0, quarantined: 0 }
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
