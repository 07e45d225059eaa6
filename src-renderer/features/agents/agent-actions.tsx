import { Ellipsis, KeyRound, Trash2 } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { ask } from '../../host-parts/ask'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/tell-failure'
import { Button } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../ui/controls/menu'
import { ConfirmDialog, type Outcome } from '../../ui/overlays/confirm-dialog'
import { Dialog } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { ConnectParts } from './connect-parts'
import { KeyDialog } from './key-dialog'

type Over =
  | { readonly kind: 'connect' | 'renew' | 'remove' }
  | { readonly kind: 'key'; readonly agentKey: string }

function Connect({
  agent: { agentId, name, keyTail },
  onClose,
}: {
  readonly agent: AgentView
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Dialog
      wide
      onClose={onClose}
      title={`Connect ${name}`}
      description={`Put its key, which ends in ${keyTail}, where KEY stands. A key that is lost is replaced by a new one.`}
      actions={
        <Button size="form" variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <ConnectParts agentId={agentId} name={name} agentKey="KEY" />
    </Dialog>
  )
}

function Renew({
  agent: { agentId, name },
  onClose,
  onKey,
}: {
  readonly agent: AgentView
  readonly onClose: () => void
  readonly onKey: (agentKey: string) => void
}): JSX.Element {
  const renew = async (): Promise<Outcome> => {
    const made = await ask('agent.renewKey', { agentId })
    if (made === undefined) return 'failed'
    onKey(made.answer.key)
    return 'stays'
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Make a new key for ${name}?`}
      description="Its key is void at once: it is cut, and an app that connects over HTTP stays out until it has the new one. The command reads the new one by itself."
      confirmLabel="Make a new key"
      onConfirm={renew}
    />
  )
}

function Remove({
  agent: { agentId, name, connections },
  onClose,
  onRemoved,
}: {
  readonly agent: AgentView
  readonly onClose: () => void
  readonly onRemoved: () => void
}): JSX.Element {
  const remove = async (): Promise<void> => {
    await call('agent.remove', { agentId })
    showToast({ message: `${name} was removed.` })
    onRemoved()
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${name}?`}
      description={`Its key is void at once${connections > 0 ? ', and it is cut in the middle of what it does' : ''}. Its app finds no tools until you take Patchbay out of its configuration or add it anew. Your servers go on, and its calls stay in the activity.`}
      confirmLabel={`Remove ${name}`}
      cancelLabel="Keep"
      onConfirm={() => attempt(remove())}
    />
  )
}

/** What can be done with an agent besides its profile. */
export function AgentActions({
  agent,
  onRemoved,
}: {
  readonly agent: AgentView
  readonly onRemoved: () => void
}): JSX.Element {
  const [over, show] = useState<Over | null>(null)
  const close = (): void => show(null)
  return (
    <>
      <Button onClick={() => show({ kind: 'connect' })}>Connect</Button>
      <Menu label="More actions" trigger={<IconButton label="More actions" icon={Ellipsis} />}>
        <MenuAction icon={KeyRound} onSelect={() => show({ kind: 'renew' })}>
          Make a new key
        </MenuAction>
        <MenuLine />
        <MenuAction danger icon={Trash2} onSelect={() => show({ kind: 'remove' })}>
          Remove
        </MenuAction>
      </Menu>
      {over?.kind === 'connect' && <Connect agent={agent} onClose={close} />}
      {over?.kind === 'renew' && (
        <Renew
          agent={agent}
          onClose={close}
          onKey={(agentKey) => show({ kind: 'key', agentKey })}
        />
      )}
      {over?.kind === 'remove' && <Remove {...{ agent, onRemoved }} onClose={close} />}
      {over?.kind === 'key' && (
        <KeyDialog
          agentId={agent.agentId}
          name={agent.name}
          agentKey={over.agentKey}
          title={`${agent.name} has a new key`}
          onStored={close}
        />
      )}
    </>
  )
}
