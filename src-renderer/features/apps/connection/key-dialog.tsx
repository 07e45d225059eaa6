import type { JSX } from 'react'

import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'
import { CopyBlock, SnippetView } from './snippet-view'

/** Shows a new key once; only its button closes the dialog, so that no stray key press loses the key. */
export function KeyDialog({
  agentId,
  agentKey,
  title,
  onStored,
}: {
  readonly agentId: string
  readonly agentKey: string
  readonly title: string
  readonly onStored: () => void
}): JSX.Element {
  return (
    <Dialog
      wide
      comesUnasked
      onClose={() => undefined}
      title={title}
      description="The key is shown only once. A lost key can be replaced at any time."
      actions={
        <Button size="form" variant="primary" onClick={onStored}>
          Done
        </Button>
      }
    >
      <CopyBlock label="Key" text={agentKey} said="Key copied." />
      <SnippetView agentId={agentId} agentKey={agentKey} />
    </Dialog>
  )
}
