import { type JSX, type MouseEvent, type RefObject, useEffect, useRef } from 'react'
import { useSearch } from 'wouter'

import type { ToolDetail, ToolView } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { NoServer } from '../../components/server/no-servers'
import { Loading } from '../../components/status/loading'
import { ToolsWaiting } from '../../components/tool/list/tool-list'
import { ToolDefinition, ToolDifference, WarningList } from '../../components/tool/review-texts'
import { useNow, useServer, useSingleKeys } from '../../stores/app-store'
import { useTools } from '../../stores/tools-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { useWindowKeys } from '../../ui/focus/use-window-keys'
import { Banner, BlankState, keepFocus, Page, ScrollRegion } from '../../ui/layout/page'
import { KeyCap } from '../../ui/marks/key-cap'
import { isTyping } from '../../ui/marks/shortcuts'
import { Tag } from '../../ui/marks/tag'
import { isCovered } from '../../ui/overlays/dialog'
import { escapeInvisible, visibleText } from '../../ui/text/untrusted-text'
import { momentText } from './messages'
import {
  type Decisions,
  decisionText,
  INSTEAD,
  type Review,
  type ReviewSubject,
  type ToolDecision,
  useDecisions,
  useReview,
} from './use-review'

function reviewMark({ exposure, change }: Pick<ToolView, 'exposure' | 'change'>): string {
  if (exposure === 'rejected') return 'Rejected'
  return change === 'new' ? 'New' : 'Changed'
}

function Picks(props: {
  readonly word: string
  readonly tools: readonly ToolView[]
  readonly review: Review
}): JSX.Element | null {
  const { word, tools, review } = props
  const { current, choose } = review
  if (tools.length === 0) return null
  const title = `${word}, ${tools.length}`
  return (
    <section aria-label={title}>
      <h2 className="mb-1 text-small font-medium text-faint">{title}</h2>
      <ul>
        {tools.map((tool) => (
          <li key={tool.name}>
            <button
              type="button"
              className="pick bare flex w-full items-center gap-2 text-muted hover:bg-hover"
              aria-current={tool === current || undefined}
              tabIndex={tool === current ? 0 : -1}
              onClick={() => choose(tool.name)}
            >
              <code className="truncate flex-1">{visibleText(tool.name)}</code>
              <Tag tone={tool.exposure === 'needsReview' ? 'warn' : 'plain'}>
                {reviewMark(tool)}
              </Tag>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ReviewList(props: {
  readonly review: Review
  readonly list: RefObject<HTMLDivElement | null>
}): JSX.Element {
  const { review, list } = props
  const { tools, isBusy, decideAll } = review
  const hasKeys = useSingleKeys()
  const waiting = tools.filter(({ exposure }) => exposure === 'needsReview')
  const rejected = tools.filter(({ exposure }) => exposure === 'rejected')
  return (
    <div
      className="review-list scroll flex flex-col gap-4 border-r border-line py-4 ps-5 pe-3"
      ref={list}
      role="region"
      aria-label="Tools to review"
    >
      <Picks word="Needs review" tools={waiting} review={review} />
      <Picks word="Rejected" tools={rejected} review={review} />
      {hasKeys && tools.length > 1 && (
        <p className="flex items-center gap-1 text-small text-faint">
          <KeyCap keys={['J']} /> <KeyCap keys={['K']} /> next or previous
        </p>
      )}
      {waiting.length > 1 && (
        <div className="flex flex-wrap gap-1">
          <Button size="small" busy={isBusy} onClick={() => decideAll('approve')}>
            Approve all {waiting.length}
          </Button>
          <Button size="small" variant="quiet" busy={isBusy} onClick={() => decideAll('reject')}>
            Reject all {waiting.length}
          </Button>
        </div>
      )}
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

function isElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat)
    return true
  return isTyping(event.target) || isCovered()
}

/**
 * Handles the keys of the review: J and K move between tools with the focus, arrows only within the list; A approves the shown tool, R
 * rejects it. Without single-key shortcuts only the arrows work.
 */
function useReviewKeys(review: Review, list: RefObject<HTMLElement | null>): void {
  const { name } = review.current
  const isMoving = useRef(false)
  const hasSingleKeys = useSingleKeys()
  useWindowKeys((event) => {
    if (isElsewhere(event) || (event.key.length === 1 && !hasSingleKeys)) return
    const isInList = event.target instanceof Node && list.current?.contains(event.target) === true
    const step = STEPS[event.key]
    if (step !== undefined && (isInList || event.key.length === 1)) review.move(step)
    else if (event.key === 'a') review.decide('approve')
    else if (event.key === 'r' && review.current.exposure !== 'rejected') review.decide('reject')
    else return
    isMoving.current = true
    event.preventDefault()
  })
  useEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus()
  }, [list, name])
}

function reviewReason({ view: { exposure, change }, approved }: ToolDetail, now: number): string {
  if (exposure === 'rejected')
    return 'You rejected this tool. Not available to agents. If the tool changes, you can review it again.'
  if (change === 'new' || approved === undefined)
    return 'New since you approved this server’s tools. Not available to agents until you approve it.'
  return `Changed since you approved it ${momentText(approved.at, now)}. Not available to agents until you approve the new version.`
}

function Detail({ detail }: { readonly detail: ToolDetail }): JSX.Element {
  const now = useNow(20_000)
  const { view, tool, approved } = detail
  return (
    <div className="grid max-w-page gap-4">
      <div>
        <h2 className="flex flex-wrap items-baseline gap-2 text-title wrap-anywhere">
          <code className="min-w-0 [font-size:inherit]">{escapeInvisible(tool.name)}</code>
          <Tag tone={view.exposure === 'rejected' ? 'plain' : 'warn'}>{reviewMark(view)}</Tag>
        </h2>
        <p className="mt-1 text-pretty text-muted">{reviewReason(detail, now)}</p>
      </div>
      <WarningList securityWarnings={view.securityWarnings} />
      {approved === undefined ? (
        <ToolDefinition tool={tool} />
      ) : (
        <ToolDifference before={approved.tool} after={tool} />
      )}
    </div>
  )
}

function Footer(props: { readonly review: Review; readonly decisions: Decisions }): JSX.Element {
  const { review, decisions } = props
  const { loaded, current, isBusy, decide } = review
  const hasKeys = useSingleKeys()
  // A tool that is not loaded yet cannot be decided.
  const isUnread = loaded.kind !== 'ready' || undefined
  // The second click of a double click would apply to the next tool, unseen.
  const once =
    (decision: ToolDecision) =>
    ({ detail }: MouseEvent): void => {
      if (detail < 2) decide(decision)
    }
  return (
    <div
      className="review-foot flex flex-none flex-wrap items-center gap-2 border-t border-line bg-subtle px-5 py-2"
      role="group"
      aria-label="Decision"
    >
      <LastDecision
        decisions={decisions}
        rest="Applies to this version. Later changes need approval again."
      />
      {current.exposure !== 'rejected' && (
        <Button
          aria-keyshortcuts={hasKeys ? 'R' : undefined}
          aria-disabled={isUnread}
          busy={isBusy}
          onClick={once('reject')}
        >
          Reject {hasKeys && <KeyCap keys={['R']} />}
        </Button>
      )}
      <Button
        variant="primary"
        aria-keyshortcuts={hasKeys ? 'A' : undefined}
        aria-disabled={isUnread}
        busy={isBusy}
        onClick={once('approve')}
      >
        Approve {hasKeys && <KeyCap keys={['A']} />}
      </Button>
    </div>
  )
}

function ToolReview({
  decisions,
  ...subject
}: Omit<ReviewSubject, 'decide'> & { readonly decisions: Decisions }): JSX.Element {
  const review = useReview({ ...subject, decide: decisions.decide })
  const list = useRef<HTMLDivElement>(null)
  useReviewKeys(review, list)
  const { name } = review.current
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    body.current?.scrollTo({ top: 0 })
  }, [name])
  const stale = review.stale.map(visibleText).join(', ')
  return (
    <div className="review grid min-h-0 flex-1">
      <ReviewList review={review} list={list} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ScrollRegion className="min-h-0 flex-1" ref={body} label="Current version">
          <div className="tab-inner">
            <div role="status">
              {review.stale.length > 0 && (
                <Banner severity="warn" title={`${stale} changed during your review.`}>
                  Your decision wasn’t saved. Review the latest version below.
                </Banner>
              )}
            </div>
            <Loading request={review} label="Loading tool" failure="Can’t load this tool">
              {(detail) => <Detail detail={detail} />}
            </Loading>
          </div>
        </ScrollRegion>
        <Footer review={review} decisions={decisions} />
      </div>
    </div>
  )
}

/** Returns the tools to decide about, held ones first. */
function reviewable(tools: readonly ToolView[], installationId: string): ToolView[] {
  const own = tools.filter((tool) => tool.installationId === installationId)
  return (['needsReview', 'rejected'] as const).flatMap((exposure) =>
    own.filter((tool) => tool.exposure === exposure),
  )
}

function Contents({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name } = server
  const { tools } = useTools()
  const wanted = new URLSearchParams(useSearch()).get('tool') ?? undefined
  const decisions = useDecisions(installationId)
  const [first, ...others] = reviewable(tools ?? [], installationId)
  const isDone = tools !== null && !first
  useEffect(() => {
    // The focused element disappeared with the last decision.
    if (isDone) keepFocus()
  }, [isDone])
  if (tools === null) return <ToolsWaiting />
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

/** The review of a server's new, changed and rejected tools: the changes, and a decision about each. */
export function ReviewPage({ installationId }: { readonly installationId: string }): JSX.Element {
  const server = useServer(installationId)
  const servers = { label: 'Servers', href: '/servers' }
  if (!server) return <NoServer title="Review tools" />
  const place = { label: server.name, href: `/servers/${installationId}/tools` }
  return (
    <Page title="Review tools" crumbs={[servers, place]} layout="columns">
      <Contents server={server} />
    </Page>
  )
}

/** The last decision, announced to screen readers, with the button that reverses it; before the first one, the text `rest`. */
function LastDecision(props: {
  readonly decisions: Decisions
  readonly rest: string
}): JSX.Element {
  const { decisions, rest } = props
  const { last, decide } = decisions
  return (
    <div className="last-decision flex min-w-0 flex-wrap items-center gap-2 gap-y-0 text-small wrap-anywhere text-muted">
      <p role="status">{last === null ? rest : decisionText(last)}</p>
      {last !== null && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => void decide(INSTEAD[last.decision].decision, last.tools)}
        >
          {INSTEAD[last.decision].label}
        </Button>
      )}
    </div>
  )
}
