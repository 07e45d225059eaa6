import type { ReactElement } from 'react'

import { ReviewCard } from '../../../components/configuration/review/review-card'
import { reviewSummary } from '../../../components/configuration/review/review-messages'
import { useApp } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { counted } from '../../../ui/text/format'
import { noChoice, type Paste, type PasteStep } from './use-paste'

type ReviewProps = {
  readonly step: Extract<PasteStep, { kind: 'servers' }>
  readonly paste: Paste
}

/** The commands of several pasted servers, all of them in full. */
export function PasteReview({ step, paste }: ReviewProps): ReactElement {
  const isInMemory = useApp(({ app }) => app?.secretStore.kind === 'memory')
  const candidates = step.servers
    .filter(({ preview }) => preview !== null)
    .map((server) => ({ key: String(server.index), from: [], server }))
  const included = candidates.filter(({ server }) => step.picked.has(server.index))
  return (
    <>
      <p className="soft">{reviewSummary(included, { isInMemory })}</p>
      <ul className="bounded scroll stack gap-3" aria-label="Commands to approve" tabIndex={0}>
        {candidates.map((candidate) => (
          <ReviewCard
            key={candidate.key}
            candidate={candidate}
            isIncluded={step.picked.has(candidate.server.index)}
            secretsInMemory={isInMemory}
            onInclude={(isIncluded) => paste.pick(candidate.server.index, isIncluded)}
            onAdjust={(change) =>
              paste.choose({
                ...(step.choices.get(candidate.server.index) ?? noChoice(candidate.server.index)),
                [change]: true,
              })
            }
          />
        ))}
      </ul>
    </>
  )
}

/** The ways on from the review: back, without approval, or with it. */
export function ReviewButtons(props: ReviewProps & { readonly onBack: () => void }): ReactElement {
  const { step, paste, onBack } = props
  const count = step.picked.size
  const isBarred = count === 0
  const add = (approves: boolean): void => {
    if (!isBarred) paste.add({ approves })
  }
  return (
    <>
      <Button size="form" onClick={onBack}>
        Back
      </Button>
      <Button size="form" aria-disabled={isBarred || undefined} onClick={() => add(false)}>
        Add without approval
      </Button>
      <Button
        size="form"
        variant="primary"
        busy={paste.busy}
        aria-disabled={isBarred || undefined}
        onClick={() => add(true)}
      >
        {`Approve ${counted(count, 'server')}`}
      </Button>
    </>
  )
}
