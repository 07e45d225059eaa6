import { type JSX, useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { ALL_TOOLS, type ToolsView } from '../../components/tool/list/list-groups'
import { ToolList, ToolsWaiting } from '../../components/tool/list/tool-list'
import { useToolListing } from '../../components/tool/list/use-tool-listing'
import { useTools } from '../../stores/tools-store'
import { BlankState } from '../../ui/layout/blank-state'
import { CapabilityPanel } from './capability-panel'
import { ChoiceHead } from './choice-head'

/** The tools of a server, grouped by what it says of them. */
export function ToolsPanel({ server }: { readonly server: ServerView }): JSX.Element {
  const [view, setView] = useState<ToolsView>({ ...ALL_TOOLS, sort: 'behavior' })
  const onView = (change: Partial<ToolsView>): void => setView({ ...view, ...change })
  const listing = useToolListing(view, onView, server.installationId)
  const isKnown = useTools().tools !== null
  const { all, servers } = listing
  const [group] = servers
  const hasList = isKnown && all.length > 0
  return (
    <CapabilityPanel
      server={server}
      label="Tools"
      noun="tools"
      list={hasList && <ToolList listing={listing} />}
    >
      {() => (
        <>
          {isKnown && group ? (
            <ChoiceHead server={server} group={group} listing={listing} />
          ) : (
            <ToolsWaiting />
          )}
          {isKnown && all.length === 0 && (
            <BlankState art="open" title="No tools" message="This server doesn’t offer tools." />
          )}
        </>
      )}
    </CapabilityPanel>
  )
}
