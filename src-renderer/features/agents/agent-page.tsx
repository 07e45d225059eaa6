import './agents.css'

import type { JSX } from 'react'
import { useLocation } from 'wouter'

import type { AgentTool, AgentView } from '../../../src-shared/domain/agents/agent'
import { EditorFrame } from '../../frame/editor-frame'
import { useLeaveGuard } from '../../frame/use-leave-guard'
import { useAgent, useAgents } from '../../host-parts/use-agents'
import { useServers } from '../../stores/app-store'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { Skeleton } from '../../ui/layout/skeleton'
import { problemWords } from '../../ui/text/problem-words'
import { AgentActions } from './agent-actions'
import { AgentMeta } from './agent-meta'
import { GatewayLine } from './endpoint/gateway-line'
import { ProfileForm } from './profile/profile-form'
import { SaveFoot } from './profile/save-foot'
import { CHOICE_ID, everyServer } from './profile/server-choice'
import { ShownPreview } from './profile/shown-preview'
import { useProfileDraft } from './profile/use-profile-draft'
import { useShownTools } from './profile/use-shown-tools'

const CRUMBS = [{ label: 'Agents', href: '/agents' }]
const NO_TOOLS: readonly AgentTool[] = []

function NoAgent(): JSX.Element {
  const isKnown = useAgents() !== undefined
  return (
    <Page title="Agent" crumbs={CRUMBS}>
      {isKnown ? (
        <BlankState
          art="open"
          title="This agent is not here"
          message="It was removed, or the address is wrong."
          action={<ButtonLink href="/agents">All agents</ButtonLink>}
        />
      ) : (
        <Skeleton label="Reading the agents" />
      )}
    </Page>
  )
}

/** Where the endpoint is shut, no agent gets anything: said before all else. */
function Shut(): JSX.Element | null {
  const gateway = useAgents()?.gateway
  if (gateway?.kind !== 'failed') return null
  return (
    <div className="page-line">
      <GatewayLine status={gateway} />
    </div>
  )
}

function Editor({ agent }: { readonly agent: AgentView }): JSX.Element {
  const [, navigate] = useLocation()
  const servers = useServers()
  const editing = useProfileDraft(agent)
  const { draft, isDirty, isBusy, profile, change, save } = editing
  const guard = useLeaveGuard(isDirty)
  const { value: shown, problem } = useShownTools(agent.agentId, profile)
  const choose = (): void => {
    if (draft.servers.kind === 'all')
      change({ servers: { kind: 'list', list: everyServer(servers) } })
    const choice = document.getElementById(CHOICE_ID)
    choice?.scrollIntoView({ block: 'start' })
    choice?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus()
  }
  return (
    <EditorFrame
      title={agent.name}
      crumbs={CRUMBS}
      unsaved={isDirty}
      actions={
        <AgentActions
          agent={agent}
          onRemoved={() => {
            guard.open()
            navigate('/agents', { replace: true })
          }}
        />
      }
      foot={<SaveFoot editing={editing} />}
      guard={guard}
      isBusy={isBusy}
      onFinish={() => isDirty && save()}
      lead={
        <>
          <AgentMeta agent={agent} />
          <Shut />
        </>
      }
    >
      <ProfileForm agent={agent} editing={editing} shown={shown?.tools ?? NO_TOOLS} />
      <ShownPreview
        editing={editing}
        shown={shown}
        problem={problem && problemWords(problem)}
        onChoose={choose}
      />
    </EditorFrame>
  )
}

/** One agent: what it is shown, and how its calls are treated. */
export function AgentPage({ agentId }: { readonly agentId: string }): JSX.Element {
  const agent = useAgent(agentId)
  return agent ? <Editor key={agentId} agent={agent} /> : <NoAgent />
}
