import type { JSX } from 'react'

import { Button } from '../../ui/controls/button'
import { Dialog } from '../../ui/overlays/dialog'
import { ConnectParts, CopyBlock } from './connect-parts'

/** Shows a new key, once; only its button closes it, so that no key in flight loses it. */
export function KeyDialog({
  agentId,
  name,
  agentKey,
  title,
  onStored,
}: {
  readonly agentId: string
  readonly name: string
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
      description="This is its key. It is shown now and never again; a new one can be made at any time."
      actions={
        <Button size="form" variant="primary" onClick={onStored}>
          I have stored the key
        </Button>
      }
    >
      <CopyBlock label="Key" text={agentKey} said="The key was copied." />
      <ConnectParts agentId={agentId} name={name} agentKey={agentKey} />
    </Dialog>
  )
}
