import { Ellipsis, KeyRound, LockKeyhole, PencilLine, Plus, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { Link } from 'wouter'

import type {
  SecretUse,
  StoredSecretView,
} from '../../../../src-shared/domain/installation/stored-secret'
import type { AppState, ServerView } from '../../../../src-shared/domain/state/app-state'
import { PassphraseButton, SecretDialog } from '../../../components/secret/secret-dialogs'
import { formPath } from '../../../components/status/status-messages'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/show-failure'
import { useRequest } from '../../../ipc/use-request'
import { useNow, useServers } from '../../../stores/app-store'
import { Button, IconButton } from '../../../ui/controls/button'
import { Menu, MenuAction } from '../../../ui/controls/menu'
import { ProblemText } from '../../../ui/fields/field'
import { ConfirmDialog } from '../../../ui/overlays/dialog'
import { showToast } from '../../../ui/overlays/toast'
import { formatMoment } from '../../../ui/text/format'
import { RestartNotice, SettingsBlock } from '../setting-row'

const WHERE: Readonly<Record<AppState['secretStore']['kind'], string>> = {
  checking: 'Checking the keychain.',
  keychain: 'Values are in your keychain and are never shown again.',
  file: 'Values are in a file that your passphrase encrypts, and are never shown again.',
  locked: 'Values are in an encrypted file. Unlock it to use them.',
  memory: 'Names are saved. Enter the values again each time Patchbay starts.',
}

/** All secrets by name and use: shared ones, and those of a single server. */
export function SecretBlock({ app }: { readonly app: AppState }): ReactElement {
  const { secrets, secretStore, servers } = app
  const [isStoring, setIsStoring] = useState(false)
  const state = secrets.stored.map(({ secretId, changedAt }) => `${secretId} ${changedAt}`).join()
  // Secrets without a value in the current store; reloaded when a value changes.
  const { loaded } = useRequest('secret.findEmpty', {}, { state: [secretStore.kind, state] })
  const emptyIds = loaded.kind === 'ready' ? loaded.value : []
  const users = new Set(secrets.stored.flatMap(({ uses }) => uses.map((use) => use.installationId)))
  const isWaiting = ({ installationId, unapplied }: ServerView): boolean =>
    users.has(installationId) && unapplied.length > 0
  return (
    <SettingsBlock
      title="Secrets"
      aside={
        <Button id="store-secret" size="small" icon={Plus} onClick={() => setIsStoring(true)}>
          Add shared secret
        </Button>
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 text-muted">{WHERE[secretStore.kind]}</p>
        <PassphraseButton secretStore={secretStore} />
      </div>
      {loaded.kind === 'failed' && <ProblemText>{loaded.problem.message}</ProblemText>}
      {secrets.stored.length === 0 ? (
        <p className="text-muted">
          No shared secrets yet. Store a secret once and use it in several servers.
        </p>
      ) : (
        <ul className="flex flex-col divide-y divide-line *:py-2" aria-label="Shared secrets">
          {secrets.stored.map((secret) => (
            <StoredSecretRow
              key={secret.secretId}
              secret={secret}
              isEmpty={emptyIds.includes(secret.secretId)}
            />
          ))}
        </ul>
      )}
      <RestartNotice waiting={servers.filter(isWaiting)} />
      {secrets.own.length === 0 ? null : (
        <>
          <h3 className="font-medium" id="own-secrets">
            Used by one server
          </h3>
          <ul className="flex flex-col divide-y divide-line *:py-2" aria-labelledby="own-secrets">
            {secrets.own.map((use) => (
              <OwnSecretRow key={`${use.installationId} ${use.fieldKey}`} use={use} />
            ))}
          </ul>
        </>
      )}
      {isStoring && (
        <SecretDialog
          title="Add shared secret"
          description="Any server can use this secret. Select its name in the server’s form."
          name=""
          withValue
          confirmLabel="Add"
          onConfirm={async ({ name, value }) => {
            await call('secret.create', { name, value })
            showToast({ message: `${name} added.` })
          }}
          onClose={() => setIsStoring(false)}
        />
      )}
    </SettingsBlock>
  )
}

function OwnSecretRow({ use }: { readonly use: SecretUse }): ReactElement {
  const { installationId, fieldKey, serverName, label } = use
  const [isSharing, setIsSharing] = useState(false)
  return (
    <li className="flex items-start gap-2">
      <LockKeyhole className="icon icon-s text-faint" aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col wrap-anywhere">
        <b>{label}</b>
        <span className="text-small text-muted">
          Used by{' '}
          <Link className="underlined" href={`/servers/${installationId}/${formPath(fieldKey)}`}>
            {serverName}
          </Link>{' '}
          only
        </span>
      </div>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Share ${label} of ${serverName}`}
        onClick={() => setIsSharing(true)}
      >
        Share
      </Button>
      {isSharing && (
        <SecretDialog
          title={`Share ${label} of ${serverName}`}
          description="Other servers can then use this secret too. The server keeps using it."
          name={label}
          confirmLabel="Share"
          onConfirm={async ({ name }) => {
            await call('secret.share', { installationId, fieldKey, name })
            showToast({ message: `${name} is now a shared secret.` })
          }}
          onClose={() => setIsSharing(false)}
          focusAfterId="store-secret"
        />
      )}
    </li>
  )
}

const MINUTE = 60_000

function Uses({ uses }: Pick<StoredSecretView, 'uses'>): ReactElement {
  if (uses.length === 0) return <span className="text-small text-muted">Not used</span>
  return (
    <span className="text-small text-muted">
      Used by{' '}
      {uses.map(({ installationId, serverName, fieldKey, label }, index) => (
        <span key={`${installationId} ${fieldKey}`}>
          {index > 0 && ', '}
          <Link className="underlined" href={`/servers/${installationId}/${formPath(fieldKey)}`}>
            {serverName}
          </Link>{' '}
          ({label})
        </span>
      ))}
    </span>
  )
}

type DialogKind = 'value' | 'name' | 'removal'

function Dialogs(props: {
  readonly secret: StoredSecretView
  readonly dialog: DialogKind
  readonly onClose: () => void
}): ReactElement {
  const { secret, dialog, onClose } = props
  const { secretId, name, uses } = secret
  const servers = useServers()
  // A notice with a restart button names the started servers instead.
  const isShown = servers.some(
    ({ installationId, status }) =>
      status.kind !== 'stopped' && uses.some((use) => use.installationId === installationId),
  )
  switch (dialog) {
    case 'value':
      return (
        <SecretDialog
          title={`Change value of ${name}`}
          description="Servers get the new value when they restart."
          withValue
          confirmLabel="Change value"
          onConfirm={async ({ value }) => {
            await call('secret.rotate', { secretId, value })
            if (!isShown) showToast({ message: `Value of ${name} changed.` })
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

/** A shared secret: its name, its uses, the age of its value, and actions. */
function StoredSecretRow(props: {
  readonly secret: StoredSecretView
  /** Whether its value is missing in the current secret store. */
  readonly isEmpty: boolean
}): ReactElement {
  const { secret, isEmpty } = props
  const { name, changedAt, uses } = secret
  const [dialog, setDialog] = useState<DialogKind | null>(null)
  const now = useNow(MINUTE)
  return (
    <li className="flex items-start gap-2">
      <KeyRound className="icon icon-s text-faint" aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col wrap-anywhere">
        <b>{name}</b>
        <Uses uses={uses} />
        {isEmpty ? (
          <ProblemText alert={false}>Value missing. Enter it again.</ProblemText>
        ) : (
          <span className="text-small text-faint tabular-nums">
            value set {formatMoment(changedAt, now)}
          </span>
        )}
      </div>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Change value of ${name}`}
        onClick={() => setDialog('value')}
      >
        Change value
      </Button>
      <Menu
        label={`Actions for ${name}`}
        trigger={<IconButton small label={`Actions for ${name}`} icon={Ellipsis} />}
      >
        <MenuAction icon={PencilLine} onSelect={() => setDialog('name')}>
          Rename…
        </MenuAction>
        <MenuAction icon={Trash2} danger onSelect={() => setDialog('removal')}>
          Remove…
        </MenuAction>
      </Menu>
      {dialog && <Dialogs secret={secret} dialog={dialog} onClose={() => setDialog(null)} />}
    </li>
  )
}

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
        <ul className="marked mt-2 mb-2 wrap-anywhere">
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
