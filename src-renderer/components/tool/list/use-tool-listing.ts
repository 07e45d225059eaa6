import { useMemo } from 'react'

import { useServers } from '../../../stores/app-store'
import { choiceOf, useTools, useToolsState } from '../../../stores/tools-store'
import { type Chosen, useChosen } from '../../../ui/controls/use-chosen'
import {
  foundTools,
  type GroupServer,
  type ListedTool,
  listedTools,
  type ListGroup,
  listGroups,
  type ToolsView,
} from './list-groups'

/** Tools as a list shows them, and what narrows and orders it. */
export type ToolListing = {
  /** Whether it is of one server alone, whose page says the rest. */
  readonly isOneServer: boolean
  readonly servers: readonly GroupServer[]
  readonly all: readonly ListedTool[]
  readonly found: readonly ListedTool[]
  readonly groups: readonly ListGroup[]
  readonly view: ToolsView
  readonly onView: (change: Partial<ToolsView>) => void
  /** Of those that are found, by their keys. */
  readonly chosen: Chosen
}

const NO_TOOLS: readonly ListedTool[] = []

/** The tools of every server, or of one, in main's order; empty until they are known. */
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

/** The same as a list shows them: found, grouped and selected. */
export function useToolListing(
  view: ToolsView,
  onView: ToolListing['onView'],
  installationId?: string,
): ToolListing {
  const { servers, all } = useListedTools(installationId)
  const found = useMemo(() => foundTools(all, view), [all, view])
  const groups = useMemo(() => listGroups(found, servers, view), [found, servers, view])
  const keys = useMemo(() => groups.flatMap(({ tools }) => tools.map(({ key }) => key)), [groups])
  const chosen = useChosen(keys)
  const isOneServer = installationId !== undefined
  return { isOneServer, servers, all, found, groups, view, onView, chosen }
}
