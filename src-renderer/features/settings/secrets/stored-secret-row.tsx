import { Ellipsis, KeyRound, PencilLine, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'

import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import { SecretDialog } from '../../../components/secret/secret-dialog'
import { fieldPlace } from '../../../components/server/suggested-button'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/tell-failure'
import { useServers } from '../../../stores/app-store'
import { useNow } from '../../../stores/now'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { Menu, MenuAction } from '../../../ui/controls/menu'
import { ProblemText } from '../../../ui/fields/problem-text'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { showToast } from '../../../ui/overlays/toast'
import { formatMoment } from '../../../ui/text/format'

const MINUTE = 60_000

function Uses({ uses }: Pick<StoredSecretView, 'uses'>): ReactElement {
  if (uses.length === 0) return <span className="soft small">not used</span>
  return (
    <span className="soft small">
      used by{' '}
      {uses.map(({ installationId, serverName, fieldKey, label }, index) => (
        <span key={`${installationId} ${fieldKey}`}>
          {index > 0 && ', '}
          <Link className="underlined" href={fieldPlace(installationId, fieldKey)}>
            {serverName}
          </Link>{' '}
          ({label})
        </span>
      ))}
    </span>
  )
}

type Asking = 'value' | 'name' | 'removal'

/** Asks for what changes a stored secret. */
function Dialogs(props: {
  readonly secret: StoredSecretView
  readonly asking: Asking
  readonly onClose: () => void
}): ReactElement {
  const { secret, asking, onClose } = props
  const { secretId, name, uses } = secret
  const servers = useServers()
  // A line with a button tells of those that were started.
  const isTold = servers.some(
    ({ installationId, status }) =>
      status.kind !== 'stopped' && uses.some((use) => use.installationId === installationId),
  )
  switch (asking) {
    case 'value':
      return (
        <SecretDialog
          title={`Change value of ${name}`}
          description="Servers get the new value when they restart."
          withValue
          confirmLabel="Change value"
          onConfirm={async ({ value }) => {
            await call('secret.rotate', { secretId, value })
            if (!isTold) showToast({ message: `Value of ${name} changed.` })
          }}
          onClose={onClose}
        />
      )
    case 'name':
      return (
        <SecretDialog
          title={`Rename ${name}`}
          description="Servers keep using this secret."
          name={name}
          confirmLabel="Rename"
          onConfirm={(typed) => call('secret.rename', { secretId, name: typed.name })}
          onClose={onClose}
        />
      )
    case 'removal':
      return <RemoveSecretDialog secret={secret} onClose={onClose} />
  }
}

/** A stored secret: its name, who uses it, since when it has its value, and what can be done with it. */
export function StoredSecretRow({
  secret,
  isEmpty,
}: {
  readonly secret: StoredSecretView
  /** Its value is not where secrets are kept now. */
  readonly isEmpty: boolean
}): ReactElement {
  const { name, changedAt, uses } = secret
  const [asking, setAsking] = useState<Asking | null>(null)
  const now = useNow(MINUTE)
  return (
    <li className="row at-top gap-2">
      <KeyRound className="icon icon-s faint" aria-hidden />
      <div className="grow col break">
        <b>{name}</b>
        <Uses uses={uses} />
        {isEmpty ? (
          <ProblemText alert={false}>Value missing. Enter it again.</ProblemText>
        ) : (
          <span className="faint small num">value set {formatMoment(changedAt, now)}</span>
        )}
      </div>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Change value of ${name}`}
        onClick={() => setAsking('value')}
      >
        Change value
      </Button>
      <Menu
        label={`Actions for ${name}`}
        trigger={<IconButton small label={`Actions for ${name}`} icon={Ellipsis} />}
      >
        <MenuAction icon={PencilLine} onSelect={() => setAsking('name')}>
          Rename…
        </MenuAction>
        <MenuAction icon={Trash2} danger onSelect={() => setAsking('removal')}>
          Remove…
        </MenuAction>
      </Menu>
      {asking && <Dialogs secret={secret} asking={asking} onClose={() => setAsking(null)} />}
    </li>
  )
}

/** Asks before a stored secret is removed, and says which servers lose it. */
function RemoveSecretDialog(props: {
  readonly secret: StoredSecretView
  readonly onClose: () => void
}): ReactElement {
  const { secret, onClose } = props
  const { secretId, name, uses } = secret
  const isUsed = uses.length > 0
  async function remove(): Promise<void> {
    await call('secret.remove', { secretId, evenIfUsed: isUsed })
    showToast({ message: `${name} removed.` })
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${name}?`}
      description={
        isUsed
          ? 'The value is deleted permanently. These servers won’t start until you enter another value:'
          : 'The value is deleted permanently. No server uses this secret.'
      }
      confirmLabel={`Remove ${name}`}
      onConfirm={() => attempt(remove())}
      focusAfterId="store-secret"
    >
      {isUsed && (
        <ul className="marked above-2 below-2 break">
          {uses.map(({ installationId, fieldKey, serverName, label }) => (
            <li key={`${installationId} ${fieldKey}`}>
              {serverName}: {label}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  )
}
