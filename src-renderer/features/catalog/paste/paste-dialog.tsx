import { type ReactElement, useState } from 'react'

import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import { AddedServers } from '../../../components/configuration/added-servers'
import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'
import { counted } from '../../../ui/text/format'
import { PasteReview, ReviewButtons } from './paste-review'
import { MainButton, PasteProblem, ReadEntry, ReadServers, WORDS } from './paste-steps'
import { PasteText } from './paste-text'
import type { Paste } from './use-paste'
import { usePasteFlow } from './use-paste-flow'

function PasteBody({ paste }: { readonly paste: Paste }): ReactElement {
  const { step } = paste
  switch (step.kind) {
    case 'text':
      return <PasteText {...step} text={paste.text} onTextChange={paste.change} />
    case 'entry':
      return (
        <>
          <PasteText text={paste.text} broken={[]} problem={null} onTextChange={paste.change} />
          <ReadEntry entry={step.entry} />
        </>
      )
    case 'servers':
      return <ReadServers step={step} paste={paste} />
    case 'added':
      return <AddedServers servers={step.servers} />
  }
}

/** The buttons that lead back or away. */
function OtherButtons(props: {
  readonly paste: Paste
  readonly onClose: () => void
}): ReactElement | null {
  const { paste, onClose } = props
  const { step } = paste
  if (step.kind === 'added') return null
  return (
    <>
      {step.kind === 'servers' ? (
        <Button size="form" onClick={paste.back}>
          Back to text
        </Button>
      ) : null}
      <Button size="form" onClick={onClose}>
        {step.kind === 'text' ? 'Cancel' : 'Close'}
      </Button>
    </>
  )
}

/** Takes a configuration or a server.json as text, shows what it becomes, and adds what the person chooses. */
export function PasteDialog(props: {
  readonly onClose: () => void
  /** Called with every server.json that was read. */
  readonly onRead: (entry: CatalogEntry) => void
}): ReactElement {
  const { onClose } = props
  const { paste, setUp } = usePasteFlow(props)
  const { step } = paste
  const [isReviewing, setIsReviewing] = useState(false)
  if (step.kind === 'servers' && isReviewing)
    return (
      <Dialog
        wide
        onClose={onClose}
        title="Approve servers"
        description="Patchbay will run exactly these commands with your user permissions."
        actions={<ReviewButtons step={step} paste={paste} onBack={() => setIsReviewing(false)} />}
      >
        <div className="stack gap-3 above-4">
          <PasteReview step={step} paste={paste} />
          <PasteProblem step={step} />
        </div>
      </Dialog>
    )
  const isSeveral = step.kind === 'servers' && step.picked.size > 1
  return (
    <Dialog
      wide
      onClose={onClose}
      title={step.kind === 'added' ? 'Servers added' : 'Paste configuration'}
      description={WORDS[step.kind]}
      actions={
        <>
          <OtherButtons paste={paste} onClose={onClose} />
          {isSeveral ? (
            <Button size="form" variant="primary" onClick={() => setIsReviewing(true)}>
              {`Review ${counted(step.picked.size, 'server')}`}
            </Button>
          ) : (
            <MainButton paste={paste} onSetUp={setUp} onClose={onClose} />
          )}
        </>
      }
    >
      <div className="stack gap-3 above-4">
        <PasteBody paste={paste} />
      </div>
    </Dialog>
  )
}
