import { Ellipsis, KeyRound, PenLine, Trash2 } from 'lucide-react'
import { type JSX, useState } from 'react'
import { useLocation } from 'wouter'

import { SecretDialog } from '../../components/secret/secret-dialog'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../ui/controls/menu'
import { ConfirmDialog, type Outcome } from '../../ui/overlays/confirm-dialog'
import { showToast } from '../../ui/overlays/toast'
import type { ConnectedApp } from './app-groups'
import { APP_NAME } from './connection/choose-app'
import { KeyDialog } from './connection/snippet-view'

type Over =
  | { readonly kind: 'rename' | 'renew' | 'remove' }
  | { readonly kind: 'key'; readonly agentKey: string }

/** Actions on an app that its sections don't have. */
export function AppMenu({ app: { agent } }: { readonly app: ConnectedApp }): JSX.Element {
  const { agentId, name } = agent
  const [, navigate] = useLocation()
  const [over, setOver] = useState<Over | null>(null)
  const close = (): void => setOver(null)
  const renew = async (): Promise<Outcome> => {
    const renewed = call('agent.renewKey', { agentId }).then(({ key }) =>
      setOver({ kind: 'key', agentKey: key }),
    )
    return (await attempt(renewed)) === 'done' ? 'stays' : 'failed'
  }
  const remove = async (): Promise<void> => {
    await call('agent.remove', { agentId })
    showToast({ message: `${name} removed.` })
    navigate('/apps', { replace: true })
  }
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
        <SecretDialog
          title={`Rename ${name}`}
          description="The key and the entry in the config file stay the same."
          confirmLabel="Rename"
          name={name}
          nameInput={APP_NAME}
          onConfirm={async (typed) => {
            if (typed.name !== name) await call('agent.rename', { agentId, name: typed.name })
          }}
          onClose={close}
        />
      )}
      {over?.kind === 'renew' && (
        <ConfirmDialog
          onClose={close}
          title={`Replace key of ${name}?`}
          description="The current key stops working and open connections close. Apps that connect through a command read the new key automatically. Apps that connect over HTTP need the new key."
          confirmLabel="Replace key"
          onConfirm={renew}
        />
      )}
      {over?.kind === 'remove' && (
        <ConfirmDialog
          onClose={close}
          title={`Remove ${name}?`}
          description="The key stops working. Patchbay deletes the tool choice and permissions, and keeps your servers and activity."
          confirmLabel={`Remove ${name}`}
          onConfirm={() => attempt(remove())}
        />
      )}
      {over?.kind === 'key' && (
        <KeyDialog
          agentId={agentId}
          agentKey={over.agentKey}
          title={`New key of ${name}`}
          onStored={close}
        />
      )}
    </>
  )
}
