import { useMemo } from 'react'

import type {
  ServerTools,
  ToolExposure,
  ToolView,
} from '../../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { showFailure } from '../../../ipc/show-failure'
import { useServers } from '../../../stores/app-store'
import { choiceOf, chooseTools, useTools, useToolsState } from '../../../stores/tools-store'
import { type Chosen, useChosen } from '../../../ui/controls/use-chosen'
import { showToast } from '../../../ui/overlays/toast'
import { counted } from '../../../ui/text/format'
import { wordsSearch } from '../../../ui/text/words-search'
import { chooser, exposureBy, withTools } from '../tool-choices'
import { type Nature, NATURES, naturesOf } from '../tool-messages'

/** Sort orders of the list. */
export type ToolSort = 'server' | 'behavior' | 'tokens' | 'uses'

/** Search, filters and order of the list; an empty filter keeps everything. */
export type ToolsView = {
  readonly query: string
  readonly sort: ToolSort
  /** Installation ids. */
  readonly servers: readonly string[]
  readonly exposures: readonly ToolExposure[]
  readonly natures: readonly Nature[]
}

/** A view without filters and search. */
export const ALL_TOOLS: Omit<ToolsView, 'sort'> = {
  query: '',
  servers: [],
  exposures: [],
  natures: [],
}

/** A server of the list: its numbers, its name and whether it is turned on. */
export type GroupServer = {
  readonly numbers: ServerTools
  readonly name: string
  readonly isEnabled: boolean
  /** The user's latest choice, even if main has not confirmed it yet. */
  readonly choice: ToolChoice
}

/** A tool of the list with its searchable text. */
export type ListedTool = {
  readonly tool: ToolView
  readonly key: string
  readonly server: GroupServer
  readonly isOn: boolean
  readonly exposure: ToolExposure
  readonly natures: readonly Nature[]
  /** The searchable text in lower case. */
  readonly searchText: string
}

/** Tools under one header: the held ones, those of a server or a behavior, or all others in one order. */
export type ListGroup = {
  readonly key: string
  readonly kind: 'needsReview' | 'server' | 'behavior' | 'others'
  /** Set for a server's group. */
  readonly server?: GroupServer
  /** Set for a behavior's group. A tool with several behaviors belongs to the group of the first. */
  readonly nature?: Nature
  readonly tools: readonly ListedTool[]
}

/** Returns the tools of the given servers in main's order, with everything that doesn't depend on the search. */
export function listedTools(
  tools: readonly ToolView[],
  servers: readonly GroupServer[],
): readonly ListedTool[] {
  const byId = new Map(servers.map((server) => [server.numbers.installationId, server]))
  const chosen = new Map(
    servers.map(({ numbers, choice }) => [numbers.installationId, chooser(choice)]),
  )
  const seen = new Map<string, number>()
  return tools.flatMap((tool) => {
    const server = byId.get(tool.installationId)
    if (!server) return []
    const name = `${tool.installationId}\n${tool.name}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    const isOn = chosen.get(tool.installationId)?.(tool.name) ?? false
    return {
      tool,
      key: `${name}\n${times}`,
      server,
      isOn,
      exposure: exposureBy(tool, isOn),
      natures: naturesOf(tool.annotations),
      searchText: [tool.name, tool.title, tool.exposedName, tool.description, server.name]
        .join('\n')
        .toLowerCase(),
    }
  })
}

function isIn<T>(filter: readonly T[], ...values: readonly T[]): boolean {
  return filter.length === 0 || values.some((value) => filter.includes(value))
}

/** Returns the tools that match the filters and contain every search term. */
export function matchingTools(
  all: readonly ListedTool[],
  { query, servers, exposures, natures }: ToolsView,
): readonly ListedTool[] {
  const matches = wordsSearch(query)
  return all.filter(
    (one) =>
      isIn(servers, one.tool.installationId) &&
      isIn(exposures, one.exposure) &&
      isIn(natures, ...one.natures) &&
      matches(one.searchText),
  )
}

/** Whether a search or filter is active. */
export function isNarrowed({ query, servers, exposures, natures }: ToolsView): boolean {
  return query.trim() !== '' || servers.length + exposures.length + natures.length > 0
}

const BY = {
  behavior: () => 0,
  tokens: ({ tool }: ListedTool) => tool.tokens ?? -1,
  uses: ({ tool }: ListedTool) => tool.uses,
}

function behaviorGroups(tools: readonly ListedTool[]): readonly ListGroup[] {
  const byNature = Map.groupBy(tools, ({ natures }) => natures[0] ?? 'other')
  return NATURES.flatMap((nature) => {
    const own = byNature.get(nature)
    return own ? [{ key: nature, kind: 'behavior' as const, nature, tools: own }] : []
  })
}

/** Returns the groups of the list: held tools first, then each server or behavior, or all tools in one order. */
export function listGroups(
  matching: readonly ListedTool[],
  servers: readonly GroupServer[],
  view: ToolsView,
): readonly ListGroup[] {
  const waiting = matching.filter(({ exposure }) => exposure === 'needsReview')
  const others = matching.filter(({ exposure }) => exposure !== 'needsReview')
  const first: ListGroup[] =
    waiting.length === 0 ? [] : [{ key: 'needsReview', kind: 'needsReview', tools: waiting }]
  const behaviors = view.sort === 'behavior' ? behaviorGroups(others) : []
  if (behaviors.length > 1) return [...first, ...behaviors]
  if (view.sort !== 'server') {
    const by = BY[view.sort]
    const tools = others.toSorted((one, other) => by(other) - by(one))
    return tools.length === 0 ? first : [...first, { key: 'others', kind: 'others', tools }]
  }
  const byServer = Map.groupBy(others, ({ tool }) => tool.installationId)
  const groups = servers.map((server): ListGroup => {
    const { installationId } = server.numbers
    return {
      key: installationId,
      kind: 'server',
      server,
      tools: byServer.get(installationId) ?? [],
    }
  })
  return [...first, ...groups.filter(({ tools }) => tools.length > 0 || !isNarrowed(view))]
}

/** The tools of a list, with its search, filters and order. */
export type ToolListing = {
  /** Whether the list belongs to one server's page. */
  readonly isOneServer: boolean
  readonly servers: readonly GroupServer[]
  readonly all: readonly ListedTool[]
  readonly found: readonly ListedTool[]
  readonly groups: readonly ListGroup[]
  readonly view: ToolsView
  readonly onView: (change: Partial<ToolsView>) => void
  /** The selection among the found tools, by key. */
  readonly chosen: Chosen
}

const NO_TOOLS: readonly ListedTool[] = []

/** Returns the tools of all servers, or of one, in main's order; empty until they are loaded. */
export function useListedTools(installationId?: string): Pick<ToolListing, 'servers' | 'all'> {
  const views = useServers()
  const state = useToolsState()
  const { tools, pending } = useTools()
  const servers = useMemo(() => {
    const byId = new Map(views.map((server) => [server.installationId, server]))
    return (state?.servers ?? []).flatMap((numbers) => {
      const server = byId.get(numbers.installationId)
      if (!server || (installationId ?? server.installationId) !== server.installationId) return []
      const choice = choiceOf(numbers, pending)
      return { numbers, name: server.name, isEnabled: server.enabled, choice }
    })
  }, [views, state, pending, installationId])
  const all = useMemo(() => (tools ? listedTools(tools, servers) : NO_TOOLS), [tools, servers])
  return { servers, all }
}

/** Returns the listed tools after search, filters, grouping and selection. */
export function useToolListing(
  view: ToolsView,
  onView: ToolListing['onView'],
  installationId?: string,
): ToolListing {
  const { servers, all } = useListedTools(installationId)
  const found = useMemo(() => matchingTools(all, view), [all, view])
  const groups = useMemo(() => listGroups(found, servers, view), [found, servers, view])
  const keys = useMemo(() => groups.flatMap(({ tools }) => tools.map(({ key }) => key)), [groups])
  const chosen = useChosen(keys)
  const isOneServer = installationId !== undefined
  return { isOneServer, servers, all, found, groups, view, onView, chosen }
}

/** A new choice for a server, with the current one. */
type ChoiceChange = {
  readonly installationId: string
  readonly before: ToolChoice
  readonly after: ToolChoice
}

/** Saves tool choices of several servers; with `confirmation`, a toast shows this message and an undo. */
async function decideChoices(
  changes: readonly ChoiceChange[],
  confirmation?: string,
): Promise<void> {
  const settled = await Promise.allSettled(
    changes.map(({ installationId, after }) => chooseTools(installationId, after)),
  )
  const rejected = settled.find((one) => one.status === 'rejected')
  if (rejected) showFailure(rejected.reason)
  const made = changes.filter((_, index) => settled[index]?.status === 'fulfilled')
  if (confirmation === undefined || made.length === 0) return
  const reversed = made.map((one) => ({ ...one, before: one.after, after: one.before }))
  showToast({
    message: confirmation,
    action: { label: 'Undo', onAct: () => void decideChoices(reversed) },
  })
}

/** Saves the tool choice of one server. */
export async function decideChoice(
  { installationId, choice: before }: Pick<ServerTools, 'installationId' | 'choice'>,
  choice: ToolChoice,
  confirmation?: string,
): Promise<void> {
  await decideChoices([{ installationId, before, after: choice }], confirmation)
}

/** Returns the new choices of the servers after some of their tools are turned on or off. */
export function choiceChanges(
  all: readonly ListedTool[],
  these: readonly ListedTool[],
  isOn: boolean,
): readonly ChoiceChange[] {
  const ownOf = Map.groupBy(all, ({ tool }) => tool.installationId)
  return [...Map.groupBy(these, ({ tool }) => tool.installationId)].flatMap(
    ([installationId, own]) => {
      const before = own[0]?.server.choice
      if (!before) return []
      const listed = (ownOf.get(installationId) ?? []).map(({ tool }) => tool.name)
      const names = own.map(({ tool }) => tool.name)
      return [{ installationId, before, after: withTools(before, listed, names, isOn) }]
    },
  )
}

/** Turns tools on or off. With `confirmation`, a toast offers one undo for all; a single tool needs none. */
export function switchTools(
  all: readonly ListedTool[],
  these: readonly ListedTool[],
  isOn: boolean,
  confirmation?: string,
): void {
  void decideChoices(choiceChanges(all, these, isOn), confirmation)
}

/** Turns the shown or selected tools on or off, with an undo. */
export function switchShown(
  all: readonly ListedTool[],
  these: readonly ListedTool[],
  isOn: boolean,
): void {
  switchTools(all, these, isOn, `${counted(these.length, 'tool')} turned ${isOn ? 'on' : 'off'}.`)
}
