import type { AgentProfile, AgentTool } from '../../../src-shared/domain/agents/agent'
import type { ToolView } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'

type Servers = AgentProfile['servers']
type ServerList = Extract<Servers, { kind: 'list' }>['list']

/** How much of one server is available to an app. */
export type ToolShare = {
  readonly server: Pick<ServerView, 'installationId' | 'name' | 'enabled'>
  /** Tools that an app could get, each name once. */
  readonly tools: readonly ToolView[]
  readonly choice: ToolChoice
  /** Tools that the app gets now. */
  readonly shown: number
}

/** The tools of every server, with what of them an app gets. */
export function toolShares(
  servers: readonly ToolShare['server'][],
  tools: readonly ToolView[],
  { chosen, shown }: { readonly chosen: Servers; readonly shown: readonly AgentTool[] },
): readonly ToolShare[] {
  const valid = tools.filter(({ exposure }) => exposure !== 'quarantined')
  const once = new Map(valid.map((tool) => [`${tool.installationId}\n${tool.name}`, tool]))
  const offered = Map.groupBy(once.values(), ({ installationId }) => installationId)
  const counts = new Map<string, number>()
  for (const { installationId } of shown)
    counts.set(installationId, (counts.get(installationId) ?? 0) + 1)
  return servers.map((server) => {
    const own = offered.get(server.installationId) ?? []
    return {
      server,
      tools: own,
      choice: choiceOf(chosen, server.installationId, own),
      shown: counts.get(server.installationId) ?? 0,
    }
  })
}

function choiceOf(chosen: Servers, id: string, tools: readonly ToolView[]): ToolChoice {
  switch (chosen.kind) {
    case 'all':
      return { kind: 'all' }
    case 'readOnly':
      return { kind: 'list', names: tools.filter(isReadOnly).map(({ name }) => name) }
    case 'list':
      return chosen.list.find(({ installationId }) => installationId === id)?.choice ?? NONE
  }
}

const NONE: ToolChoice = { kind: 'none' }

/** Whether the server marks a tool as read-only. */
export function isReadOnly({ annotations }: Pick<ToolView, 'annotations'>): boolean {
  return annotations?.readOnlyHint === true
}

/** The shares as a list of choices, with another choice for one server. */
export function listOf(
  shares: readonly ToolShare[],
  changed?: { readonly installationId: string; readonly choice: ToolChoice },
): ServerList {
  return shares.flatMap(({ server: { installationId }, choice: before }) => {
    const choice = changed?.installationId === installationId ? changed.choice : before
    const isNone = choice.kind === 'none' || (choice.kind === 'list' && choice.names.length === 0)
    return isNone ? [] : [{ installationId, choice }]
  })
}
