import type { JSX } from 'react'
import { useEffect } from 'react'
import { useSearch } from 'wouter'

import type { ToolView } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useServer } from '../../stores/app-store'
import { readToolsAgain, useTools } from '../../stores/tools-store'
import { ButtonLink } from '../../ui/controls/button'
import { BlankState } from '../../ui/layout/blank-state'
import { keepFocus, Page } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { LastDecision } from './last-decision'
import { ToolReview } from './tool-review'
import { useDecisions } from './use-decisions'

/** Those that a person decides about: the held ones first. */
function reviewable(tools: readonly ToolView[], installationId: string): ToolView[] {
  const own = tools.filter((tool) => tool.installationId === installationId)
  return (['held', 'refused'] as const).flatMap((exposure) =>
    own.filter((tool) => tool.exposure === exposure),
  )
}

function Contents({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name } = server
  const { tools, problem } = useTools()
  const wanted = new URLSearchParams(useSearch()).get('tool') ?? undefined
  const decisions = useDecisions(installationId)
  const [first, ...others] = reviewable(tools ?? [], installationId)
  const isDone = tools !== null && !first
  useEffect(() => {
    // What had the focus went with the last decision.
    if (isDone) keepFocus()
  }, [isDone])
  if (tools === null && problem !== null)
    return <ProblemState title="Can’t load tools" problem={problem} onRetry={readToolsAgain} />
  if (tools === null) return <Skeleton label="Loading tools" rows={5} />
  if (!first)
    return (
      <BlankState
        art="waiting"
        title="Review complete"
        message={`New and changed tools of ${name} will appear here.`}
        action={
          <>
            <ButtonLink href={`/servers/${installationId}/tools`}>Show all tools</ButtonLink>
            {decisions.last !== null && <LastDecision decisions={decisions} rest="" />}
          </>
        }
      />
    )
  return (
    <ToolReview
      installationId={installationId}
      decisions={decisions}
      tools={[first, ...others]}
      wanted={wanted}
    />
  )
}

/** The tools of a server that are new, changed or refused, what changed, and the decision about each. */
export function ReviewPage({ installationId }: { readonly installationId: string }): JSX.Element {
  const server = useServer(installationId)
  const servers = { label: 'Servers', href: '/servers' }
  if (!server)
    return (
      <Page title="Review tools" crumbs={[servers]}>
        <BlankState
          art="open"
          title="Server not found"
          message="This server was removed, or the address is wrong."
          action={<ButtonLink href="/servers">Show all servers</ButtonLink>}
        />
      </Page>
    )
  const place = { label: server.name, href: `/servers/${installationId}/tools` }
  return (
    <Page title="Review tools" crumbs={[servers, place]} layout="columns">
      <Contents server={server} />
    </Page>
  )
}
