import type { ToolAnnotations } from '../../../src-shared/domain/agents/capability'
import type { ToolView } from '../../../src-shared/domain/agents/tools'
import { isJsonObject } from '../../../src-shared/domain/server-json/tolerant-reader'
import { modelProblems } from './definitions/model-schema'
import type { ResolvedTool } from './directory/resolved-server'
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
