import './review.css'

import type { ReactElement } from 'react'

import type { Adjustment } from '../../../../src-shared/domain/installation/configuration'
import { useAction } from '../../../ipc/use-action'
import { useApp } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Checkbox } from '../../../ui/controls/checkbox'
import { Banner } from '../../../ui/layout/banner'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { counted } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/visible-text'
import { ServerLaunch } from '../server-launch'
import { type Candidate, reviewHeadline, reviewSummary, toCheck } from './review-messages'

type CardProps = {
  readonly candidate: Candidate
  readonly isIncluded: boolean
  readonly secretsInMemory: boolean
  readonly onInclude: (isIncluded: boolean) => void
  /** Shows it again with the change made. */
  readonly onAdjust: (change: Adjustment['change']) => void | Promise<void>
}

/** One server of a review: its whole command, what is to check about it, and whether it is included. */
function ReviewCard(props: CardProps): ReactElement {
  const { candidate, isIncluded, secretsInMemory, onInclude, onAdjust } = props
  const { isBusy, problem, run } = useAction(async (change: Adjustment['change']) =>
    onAdjust(change),
  )
  const { server, from } = candidate
  const name = visibleText(server.name)
  const { adjustments } = server
  const warnings = server.preview?.warnings ?? []
  return (
    <li className="review-card stack gap-1 slim" aria-label={name}>
      <Checkbox
        className="tick row gap-2 slim"
        checked={isIncluded}
        aria-label={`Include ${name}`}
        onCheckedChange={onInclude}
      >
        <b className="grow cut">{name}</b>
        <span className="faint small cut">{from.map(visibleText).join(', ')}</span>
      </Checkbox>
      {warnings
        .filter((warning) => adjustments.every(({ message }) => message !== warning))
        .map((warning) => (
          <Banner key={warning} severity="warn">
            {warning}
          </Banner>
        ))}
      {adjustments.map(({ change, message, button }) => (
        <Banner
          key={change}
          severity={warnings.includes(message) ? 'warn' : 'info'}
          action={
            <Button size="small" busy={isBusy} onClick={() => run(change)}>
              {button}
            </Button>
          }
        >
          {message}
        </Banner>
      ))}
      {problem && (
        <Banner severity="error" title={problem.message}>
          {problem.hint}
        </Banner>
      )}
      {server.preview && (
        <ServerLaunch
          preview={server.preview}
          secretPlace={secretsInMemory ? 'in memory' : 'to keychain'}
        />
      )}
      {server.toFill.length === 0 ? null : (
        <p className="soft small">
          Missing values: {server.toFill.map(visibleText).join(', ')}. The server starts after you
          enter them.
        </p>
      )}
    </li>
  )
}

function Head({
  candidates,
  isInMemory,
}: {
  readonly candidates: readonly Candidate[]
  readonly isInMemory: boolean
}): ReactElement {
  const count = toCheck(candidates)
  return (
    <div className="row wrap gap-3 below-3">
      <div className="grow slim">
        <h2 className="title">{reviewHeadline(candidates)}</h2>
        <p className="soft">{reviewSummary(candidates, { isInMemory })}</p>
      </div>
      {count === 0 ? null : (
        <span className="badge tone tint inline-row fixed small medium nowrap is-degraded">
          <StatusGlyph status="degraded" />
          {counted(count, 'command')} to check
        </span>
      )}
    </div>
  )
}

/** The commands of several servers, all of them in full, and whether each is included. */
export function ReviewList(props: {
  readonly candidates: readonly Candidate[]
  readonly isIncluded: (candidate: Candidate) => boolean
  readonly onInclude: (candidate: Candidate, isIncluded: boolean) => void
  /** Shows a candidate again with the change made. */
  readonly onAdjust: (candidate: Candidate, change: Adjustment['change']) => void | Promise<void>
}): ReactElement {
  const { candidates, isIncluded } = props
  const secretsInMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  return (
    <>
      <Head candidates={candidates.filter(isIncluded)} isInMemory={secretsInMemory} />
      <ul className="review-cards" aria-label="Commands to approve">
        {candidates.map((candidate) => (
          <ReviewCard
            key={candidate.key}
            {...{ candidate, secretsInMemory }}
            isIncluded={isIncluded(candidate)}
            onInclude={(next) => props.onInclude(candidate, next)}
            onAdjust={(change) => props.onAdjust(candidate, change)}
          />
        ))}
      </ul>
    </>
  )
}
