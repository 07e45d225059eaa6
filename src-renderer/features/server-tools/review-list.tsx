import type { JSX, RefObject } from 'react'

import type { ToolView } from '../../../src-shared/domain/agents/tools'
import { useSingleKeys } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { KeyCap } from '../../ui/marks/key-cap'
import { Tag } from '../../ui/marks/tag'
import { visibleText } from '../../ui/text/visible-text'
import type { Review } from './use-review'

/** Why a tool is under review, in a word. */
export function reviewMark({ exposure, change }: Pick<ToolView, 'exposure' | 'change'>): string {
  if (exposure === 'refused') return 'Rejected'
  return change === 'new' ? 'New' : 'Changed'
}

function Picks({
  title,
  tools,
  review: { current, choose },
}: {
  readonly title: string
  readonly tools: readonly ToolView[]
  readonly review: Review
}): JSX.Element | null {
  if (tools.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="small medium faint below-1">{title}</h2>
      <ul>
        {tools.map((tool) => (
          <li key={tool.name}>
            <button
              type="button"
              className="pick bare lights whole row gap-2 soft"
              aria-current={tool === current || undefined}
              tabIndex={tool === current ? 0 : -1}
              onClick={() => choose(tool.name)}
            >
              <code className="cut grow">{visibleText(tool.name)}</code>
              <Tag tone={tool.exposure === 'held' ? 'warn' : 'plain'}>{reviewMark(tool)}</Tag>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The tools under review, one of them chosen, and the decisions about all that are held. */
export function ReviewList({
  review,
  list,
}: {
  readonly review: Review
  readonly list: RefObject<HTMLDivElement | null>
}): JSX.Element {
  const { tools, isBusy, decideAll } = review
  const hasKeys = useSingleKeys()
  const held = tools.filter(({ exposure }) => exposure === 'held')
  const refused = tools.filter(({ exposure }) => exposure === 'refused')
  return (
    <div
      className="review-list col gap-4 scroll"
      ref={list}
      role="region"
      aria-label="Tools to review"
    >
      <Picks title={`Needs review, ${held.length}`} tools={held} review={review} />
      <Picks title={`Refused, ${refused.length}`} tools={refused} review={review} />
      {hasKeys && tools.length > 1 && (
        <p className="row gap-1 faint small">
          <KeyCap keys={['J']} /> <KeyCap keys={['K']} /> next or previous
        </p>
      )}
      {held.length > 1 && (
        <div className="flex wrap gap-1">
          <Button size="small" busy={isBusy} onClick={() => decideAll('approve')}>
            Approve all {held.length}
          </Button>
          <Button size="small" variant="quiet" busy={isBusy} onClick={() => decideAll('refuse')}>
            Reject all {held.length}
          </Button>
        </div>
      )}
    </div>
  )
}
