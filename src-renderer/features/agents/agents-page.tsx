import './agents.css'

import { Plus } from 'lucide-react'
import type { JSX } from 'react'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

import type { AgentsState } from '../../../src-shared/domain/agents/agent'
import type { HostsState } from '../../../src-shared/domain/agents/host'
import { hasApps } from '../../host-parts/host-rows'
import { useAgents } from '../../host-parts/use-agents'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { Skeleton } from '../../ui/layout/skeleton'
import { AddAgent } from './add-agent'
import { AgentTable } from './agent-table'
import { GatewayLine } from './endpoint/gateway-line'
import { HostSection } from './hosts/host-section'

/** What stands where agents will be, before the first: an app that is here is the shorter way to it. */
function NoAgents({
  hosts,
  onAdd,
}: {
  readonly hosts: HostsState
  readonly onAdd: () => void
}): JSX.Element | null {
  // Which of the two ways stands here is known once the apps are: a button that moves takes no click.
  if (!hosts.isRead) return null
  if (!hasApps(hosts))
    return (
      <BlankState
        art="open"
        title="No agents yet"
        message="An agent is an app that calls tools, such as Claude Desktop, Cursor or VS Code. Add it, and it reaches all your servers through one address with a key of its own. You choose which tools it is shown. Without an agent that address is closed."
        action={
          <Button variant="primary" onClick={onAdd}>
            Add agent
          </Button>
        }
      />
    )
  return (
    <div className="measure soft pretty">
      <h2 className="headline ink below-1">No agents yet</h2>
      <p>
        An agent is an app that calls tools. Connect one of those that are on this computer, and it
        reaches all your servers through one address with a key of its own. You choose which tools
        it is shown.
      </p>
    </div>
  )
}

function Body({
  state,
  hosts,
  onAdd,
}: {
  readonly state: AgentsState
  readonly hosts: HostsState
  readonly onAdd: () => void
}): JSX.Element {
  const { gateway, agents } = state
  const isEmpty = agents.length === 0
  return (
    <div className="stack gap-5">
      {isEmpty ? (
        <NoAgents hosts={hosts} onAdd={onAdd} />
      ) : (
        <>
          <GatewayLine status={gateway} />
          <AgentTable agents={agents} />
        </>
      )}
      <HostSection state={hosts} leadsOn={isEmpty} />
    </div>
  )
}

/** Every agent, where agents connect, and the apps of this computer that can be one. */
export function AgentsPage(): JSX.Element {
  const state = useAgents()
  const hosts = useApp(({ app }) => app?.hosts)
  const [isAdding, setIsAdding] = useState(false)
  const count = state?.agents.length ?? 0
  const add = (): void => setIsAdding(true)
  const [place, navigate] = useLocation()
  const isAsked = new URLSearchParams(useSearch()).has('add')
  // Asked for from elsewhere, once: who comes back to the page is not asked again.
  if (isAsked && !isAdding) setIsAdding(true)
  useEffect(() => {
    if (isAsked) navigate(place, { replace: true })
  }, [isAsked, navigate, place])
  const isBlank = count === 0 && !(hosts && hasApps(hosts))
  return (
    <Page
      title="Agents"
      meta={<span className="faint num">{count}</span>}
      actions={
        !isBlank && (
          <Button icon={Plus} onClick={add}>
            Add agent
          </Button>
        )
      }
    >
      {state && hosts ? (
        <Body state={state} hosts={hosts} onAdd={add} />
      ) : (
        <Skeleton label="Reading the agents" />
      )}
      {isAdding && <AddAgent onClose={() => setIsAdding(false)} />}
    </Page>
  )
}
