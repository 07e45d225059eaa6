import type { JSX, MouseEvent } from 'react'
import { useEffect, useRef } from 'react'

import type { ToolDetail } from '../../../src-shared/domain/agents/tools'
import { ToolDefinition, ToolDifference, WarningList } from '../../components/tool/review-texts'
import type { ToolDecision } from '../../components/tool/tool-decisions'
import { useSingleKeys } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { Button } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { KeyCap } from '../../ui/marks/key-cap'
import { Tag } from '../../ui/marks/tag'
import { visibleText, writtenOut } from '../../ui/text/visible-text'
import { LastDecision } from './last-decision'
import { momentWords } from './messages'
import { ReviewList, reviewMark } from './review-list'
import type { Decisions } from './use-decisions'
import type { Review, ReviewSubject } from './use-review'
import { useReview } from './use-review'
import { useReviewKeys } from './use-review-keys'

/** Why the tool is here, as a sentence. */
function whyHere({ view: { exposure, change }, approved }: ToolDetail, now: number): string {
  if (exposure === 'refused')
    return 'You rejected this tool. Hidden from agents. If the tool changes, you can review it again.'
  if (change === 'new' || approved === undefined)
    return 'New since you approved this server’s tools. Hidden from agents until you approve it.'
  return `Changed since you approved it ${momentWords(approved.at, now)}. Hidden from agents until you approve the new version.`
}

function Detail({ detail }: { readonly detail: ToolDetail }): JSX.Element {
  const now = useNow(20_000)
  const { view, tool, approved } = detail
  return (
    <div className="column stack gap-4">
      <div>
        <h2 className="flex wrap at-base gap-2 title break">
          <code className="same-size slim">{writtenOut(tool.name)}</code>
          <Tag tone={view.exposure === 'refused' ? 'plain' : 'warn'}>{reviewMark(view)}</Tag>
        </h2>
        <p className="above-1 soft pretty">{whyHere(detail, now)}</p>
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

function Shown({ review }: { readonly review: Review }): JSX.Element {
  const { loaded, retry } = review
  switch (loaded.kind) {
    case 'loading':
      return <Skeleton label="Loading tool" rows={4} />
    case 'failed':
      return <ProblemState title="Can’t load this tool" problem={loaded.problem} onRetry={retry} />
    case 'ready':
      return <Detail detail={loaded.value} />
  }
}

function Stale({ names }: { readonly names: readonly string[] }): JSX.Element {
  const list = names.map(visibleText).join(', ')
  return (
    <div role="status">
      {names.length > 0 && (
        <Banner severity="warn" title={`${list} changed during your review.`}>
          Your decision wasn’t saved. Review the latest version below.
        </Banner>
      )}
    </div>
  )
}

function Foot({
  review,
  decisions,
}: {
  readonly review: Review
  readonly decisions: Decisions
}): JSX.Element {
  const { loaded, current, isBusy, decide } = review
  const hasKeys = useSingleKeys()
  // What was not read yet cannot be judged.
  const isUnread = loaded.kind !== 'ready' || undefined
  // The second click of two would fall on the next tool, unseen.
  const once =
    (verdict: ToolDecision) =>
    ({ detail }: MouseEvent): void => {
      if (detail < 2) decide(verdict)
    }
  return (
    <div
      className="review-foot pad-line row wrap gap-2 fixed ruled-above subtle"
      role="group"
      aria-label="Decision"
    >
      <LastDecision
        decisions={decisions}
        rest="Applies to this version. Later changes need approval again."
      />
      {current.exposure !== 'refused' && (
        <Button
          aria-keyshortcuts={hasKeys ? 'R' : undefined}
          aria-disabled={isUnread}
          busy={isBusy}
          onClick={once('refuse')}
        >
          {' '}
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

/** The tools under review at the left, what became of the chosen one beside them, and the decision at its foot. */
export function ToolReview({
  decisions,
  ...subject
}: Omit<ReviewSubject, 'settle'> & { readonly decisions: Decisions }): JSX.Element {
  const review = useReview({ ...subject, settle: decisions.settle })
  const list = useRef<HTMLDivElement>(null)
  useReviewKeys(review, list)
  const { name } = review.current
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    body.current?.scrollTo({ top: 0 })
  }, [name])
  return (
    <div className="review fill stack">
      <ReviewList review={review} list={list} />
      <div className="fill col slim">
        <div
          className="fill scroll"
          ref={body}
          tabIndex={0}
          role="region"
          aria-label="Current version"
        >
          <div className="tab-inner">
            <Stale names={review.stale} />
            <Shown review={review} />
          </div>
        </div>
        <Foot review={review} decisions={decisions} />
      </div>
    </div>
  )
}
