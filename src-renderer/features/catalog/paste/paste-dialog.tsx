import { type ReactElement, useEffect, useEffectEvent, useState } from 'react'

import { AddedServers } from '../../../components/configuration/added-servers'
import { type Candidate, ReviewList } from '../../../components/configuration/review/review-list'
import { call } from '../../../ipc/call'
import { showFailure } from '../../../ipc/show-failure'
import { useApp } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Banner, ProblemBanner, ScrollRegion, Skeleton } from '../../../ui/layout/page'
import { Dialog } from '../../../ui/overlays/dialog'
import { counted } from '../../../ui/text/format'
import { MainButton, PasteText, ReadEntry, ReadServers, TEXTS } from './paste-steps'
import {
  noChoice,
  type Paste,
  type PasteOptions,
  type PasteStep,
  type ServersStep,
  usePaste,
} from './use-paste'

/** Why a link cannot be read. Hides the link's text, which may contain secrets and was not typed here. */
function Unread({ step }: { readonly step: Extract<PasteStep, { kind: 'text' }> }): ReactElement {
  const { problem, broken } = step
  if (problem === null && broken.length === 0) return <Skeleton label="Reading link" rows={3} />
  return (
    <ProblemBanner
      role="alert"
      problem={problem ?? { message: 'The link is invalid: its data isn’t JSON.' }}
    />
  )
}

function Body(props: { readonly paste: Paste; readonly isLink: boolean }): ReactElement | null {
  const { paste, isLink } = props
  const { step, text, change } = paste
  switch (step.kind) {
    case 'text':
      return isLink ? <Unread step={step} /> : <PasteText {...step} {...{ text, change }} />
    case 'entry':
      return (
        <>
          <PasteText {...{ text, change }} broken={[]} problem={null} />
          <ReadEntry entry={step.entry} />
        </>
      )
    case 'servers':
      return <ReadServers step={step} paste={paste} />
    case 'added':
      return <AddedServers servers={step.servers} />
  }
}

/** Imports a configuration, a server.json or a link from text: shows the result and adds what the user chooses. */
export function PasteDialog(props: PasteOptions): ReactElement {
  const { given: initialText, onClose } = props
  const isLink = initialText !== undefined
  const paste = usePaste(props)
  const { step } = paste
  const [isReviewing, setIsReviewing] = useState(false)
  const readLink = useEffectEvent(() => isLink && paste.read())
  useEffect(() => void readLink(), [])
  // A link comes from no registry, so the user must check what it runs.
  const fromLink = isLink && step.kind === 'servers' && (
    <Banner severity="warn" title="This server comes from a link, not from a registry.">
      The author of the link chose what runs. Continue only if you trust the source. You approve the
      exact command before the first start.
    </Banner>
  )
  const shared = { wide: true, comesUnasked: isLink, onClose }
  if (step.kind === 'servers' && isReviewing)
    return (
      <Dialog
        {...shared}
        title="Approve servers"
        description="Patchbay will run exactly these commands with your user permissions."
        actions={<ReviewButtons step={step} paste={paste} onBack={() => setIsReviewing(false)} />}
      >
        <div className="mt-4 grid gap-3">
          {fromLink}
          <Review step={step} paste={paste} />
          <ProblemBanner role="alert" problem={step.problem} />
        </div>
      </Dialog>
    )
  return (
    <Dialog
      {...shared}
      title={step.kind === 'added' ? 'Servers added' : TITLES[isLink ? 'link' : 'text']}
      description={TEXTS[step.kind]}
      actions={<Buttons {...{ paste, isLink, onClose }} onReview={() => setIsReviewing(true)} />}
    >
      <div className="mt-4 grid gap-3">
        {fromLink}
        <Body paste={paste} isLink={isLink} />
      </div>
    </Dialog>
  )
}

function Buttons(props: {
  readonly paste: Paste
  readonly isLink: boolean
  readonly onClose: () => void
  readonly onReview: () => void
}): ReactElement {
  const { paste, isLink, onClose, onReview } = props
  const { step } = paste
  const { kind } = step
  const count = step.kind === 'servers' ? step.picked.size : 0
  return (
    <>
      {kind === 'servers' && !isLink && (
        <Button size="form" onClick={paste.back}>
          Back to text
        </Button>
      )}
      {kind !== 'added' && (
        <Button size="form" onClick={onClose}>
          {kind === 'text' && !isLink ? 'Cancel' : 'Close'}
        </Button>
      )}
      {count > 1 && (
        <Button size="form" variant="primary" onClick={onReview}>
          {`Review ${counted(count, 'server')}`}
        </Button>
      )}
      {count < 2 && !(isLink && kind === 'text') && <MainButton paste={paste} onClose={onClose} />}
    </>
  )
}

const TITLES = { link: 'Add server from link', text: 'Paste configuration' } as const

type ReviewProps = { readonly step: ServersStep; readonly paste: Paste }

function Review({ step, paste }: ReviewProps): ReactElement {
  const { servers, picked, choices } = step
  const candidates = servers
    .filter(({ preview }) => preview !== null)
    .map((server) => ({ key: String(server.index), from: [], server }))
  const choiceOf = ({ server: { index } }: Candidate) => choices.get(index) ?? noChoice(index)
  return (
    <ScrollRegion className="bounded" label="Review">
      <ReviewList
        candidates={candidates}
        isIncluded={({ server }) => picked.has(server.index)}
        onInclude={({ server }, isPicked) => paste.pick(server.index, isPicked)}
        onAdjust={(candidate, change) => paste.choose({ ...choiceOf(candidate), [change]: true })}
      />
    </ScrollRegion>
  )
}

function ReviewButtons(props: ReviewProps & { readonly onBack: () => void }): ReactElement {
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

/** Shows the content of the link that opened the app; the link is discarded when the dialog closes. */
export function LinkDialog(): ReactElement | null {
  const link = useApp(({ app }) => app?.link)
  if (link?.kind !== 'link') return null
  const { linkId, text } = link
  const close = (): void => {
    call('app.dropLink', { linkId }).catch(showFailure)
  }
  return <PasteDialog key={linkId} given={text} onClose={close} />
}
