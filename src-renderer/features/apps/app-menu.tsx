import { Ellipsis, KeyRound, PenLine, Trash2 } from 'lucide-react'
import { type JSX, useState } from 'react'
import { useLocation } from 'wouter'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../ui/controls/menu'
import { ConfirmDialog, type Outcome } from '../../ui/overlays/confirm-dialog'
import { showToast } from '../../ui/overlays/toast'
import type { ConnectedApp } from './app-groups'
import { KeyDialog } from './connection/snippet-view'
import { NameDialog } from './name-dialog'

type Over =
  | { readonly kind: 'rename' | 'renew' | 'remove' }
  | { readonly kind: 'key'; readonly agentKey: string }

type OverProps = { readonly agent: AgentView; readonly onClose: () => void }

function Renew({
  agent: { agentId, name },
  onClose,
  onKey,
}: OverProps & { readonly onKey: (agentKey: string) => void }): JSX.Element {
  const renew = async (): Promise<Outcome> => {
    const renewed = call('agent.renewKey', { agentId }).then(({ key }) => onKey(key))
    return (await attempt(renewed)) === 'done' ? 'stays' : 'failed'
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Replace key of ${name}?`}
      description="The current key stops working and open connections close. Apps that connect through a command read the new key automatically. Apps that connect over HTTP need the new key."
      confirmLabel="Replace key"
      onConfirm={renew}
    />
  )
}

function Remove({ agent: { agentId, name }, onClose }: OverProps): JSX.Element {
  const [, navigate] = useLocation()
  const remove = async (): Promise<void> => {
    await call('agent.remove', { agentId })
    showToast({ message: `${name} removed.` })
    navigate('/apps', { replace: true })
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${name}?`}
      description="The key stops working. Patchbay deletes the tool choice and permissions, and keeps your servers and activity."
      confirmLabel={`Remove ${name}`}
      onConfirm={() => attempt(remove())}
    />
  )
}

/** Actions on an app that its sections don't have. */
export function AppMenu({ app: { agent } }: { readonly app: ConnectedApp }): JSX.Element {
  const [over, setOver] = useState<Over | null>(null)
  const close = (): void => setOver(null)
  return (
    <>
      <Menu label="More actions" trigger={<IconButton label="More actions" icon={Ellipsis} />}>
        <MenuAction icon={PenLine} onSelect={() => setOver({ kind: 'rename' })}>
          Rename
        </MenuAction>
        <MenuAction icon={KeyRound} onSelect={() => setOver({ kind: 'renew' })}>
          Replace key
        </MenuAction>
        <MenuLine />
        <MenuAction danger icon={Trash2} onSelect={() => setOver({ kind: 'remove' })}>
          Remove app
        </MenuAction>
      </Menu>
      {over?.kind === 'rename' && (
        <NameDialog
          title={`Rename ${agent.name}`}
          description="The key and the entry in the config file stay the same."
          submitLabel="Rename"
          name={agent.name}
          save={async (wanted) => {
            if (wanted !== agent.name)
              await call('agent.rename', { agentId: agent.agentId, name: wanted })
            close()
          }}
          onClose={close}
        />
      )}
      {over?.kind === 'renew' && (
        <Renew
          agent={agent}
          onClose={close}
          onKey={(agentKey) => setOver({ kind: 'key', agentKey })}
        />
      )}
      {over?.kind === 'remove' && <Remove agent={agent} onClose={close} />}
      {over?.kind === 'key' && (
        <KeyDialog
          agentId={agent.agentId}
          agentKey={over.agentKey}
          title={`New key of ${agent.name}`}
          onStored={close}
        />
      )}
    </>
  )
}
