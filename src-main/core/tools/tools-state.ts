import type { ServerTools, ToolExposure, ToolsState } from '../../../src-shared/domain/agents/tools'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { ServerDirectory } from '../servers/server-directory'
import type { KeptListing } from './directory/listing-files'
import type { ResolvedTool } from './directory/resolved-server'
import type { DirectorySnapshot } from './directory/tool-directory'
import { shownChoice } from './directory/tool-selection'
import { type TokenCounter, tokenKey } from './tokens/token-counter'

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
