import { Ellipsis, KeyRound, Library, LockKeyhole, LockOpen, RotateCw, Trash2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'

import type { SourceView } from '../../../../src-shared/domain/catalog/catalog-state'
import { SecretDialog } from '../../../components/secret/secret-dialog'
import { call } from '../../../ipc/call'
import { attempt, tellFailure } from '../../../ipc/tell-failure'
import { useNow } from '../../../stores/now'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../../ui/controls/menu'
import { Switch } from '../../../ui/controls/switch'
import { ProblemText } from '../../../ui/fields/problem-text'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { problemWords } from '../../../ui/text/problem-messages'
import { faultOf, hostOf, listedText } from '../../../ui/text/registry-messages'

type Asking = 'token' | 'tokenless' | 'removal'

function syncAgain({ sourceId }: SourceView): void {
  call('catalog.sync', { sourceId }).catch(tellFailure)
}

function TokenDialog({
  source: { sourceId, baseUrl, hasToken },
  isInMemory,
  onClose,
}: {
  readonly source: SourceView
  readonly isInMemory: boolean
  readonly onClose: () => void
}): ReactElement {
  const host = hostOf(baseUrl)
  return (
    <SecretDialog
      title={hasToken ? `Replace token of ${host}` : `Add token for ${host}`}
      description={`Saved in ${isInMemory ? 'memory until you quit' : 'the keychain'} and sent only to ${baseUrl}. The registry syncs immediately.`}
      withValue
      valueLabel="Token"
      confirmLabel={hasToken ? 'Replace token' : 'Add token'}
      onConfirm={({ value }) => call('catalog.changeSource', { sourceId, token: value.trim() })}
      onClose={onClose}
    />
  )
}

function TokenlessDialog({
  source: { sourceId, baseUrl },
  onClose,
}: {
  readonly source: SourceView
  readonly onClose: () => void
}): ReactElement {
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Remove token?"
      description={`Patchbay then connects to ${baseUrl} without a token. Servers already listed stay in the catalog.`}
      confirmLabel="Remove token"
      onConfirm={() => attempt(call('catalog.changeSource', { sourceId, token: null }))}
    />
  )
}

function RemovalDialog({
  source: { sourceId, baseUrl },
  onClose,
}: {
  readonly source: SourceView
  readonly onClose: () => void
}): ReactElement {
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Remove registry?"
      description={`Removes the servers of ${baseUrl} from the catalog and deletes the token. Servers you set up are kept.`}
      confirmLabel="Remove registry"
      onConfirm={() => attempt(call('catalog.removeSource', { sourceId }))}
      focusAfterId="add-registry"
    />
  )
}

function RowMenu({
  source: { baseUrl, hasToken },
  onAsk,
}: {
  readonly source: SourceView
  readonly onAsk: (asking: Asking) => void
}): ReactElement {
  const label = `Actions for ${baseUrl}`
  return (
    <Menu label={label} trigger={<IconButton small label={label} icon={Ellipsis} />}>
      <MenuAction icon={KeyRound} onSelect={() => onAsk('token')}>
        {hasToken ? 'Replace token…' : 'Add token…'}
      </MenuAction>
      {hasToken && (
        <MenuAction icon={LockOpen} danger onSelect={() => onAsk('tokenless')}>
          Remove token…
        </MenuAction>
      )}
      <MenuLine />
      <MenuAction icon={Trash2} danger onSelect={() => onAsk('removal')}>
        Remove registry…
      </MenuAction>
    </Menu>
  )
}

/** What is wrong with a registry and the button against it: another token where that is the reason, else another try. */
function ErrorLatch({
  source,
  onReplace,
}: {
  readonly source: SourceView
  readonly onReplace: () => void
}): ReactElement {
  const fault = source.enabled ? faultOf(source) : undefined
  const isOfToken = fault?.code === 'sign-in-needed' || fault?.code === 'token-unread'
  return (
    <div className="stack at-start gap-1" role="status">
      {fault && <ProblemText alert={false}>{problemWords(fault)}</ProblemText>}
      {isOfToken ? (
        <Button size="small" icon={KeyRound} onClick={onReplace}>
          {source.hasToken ? 'Replace token' : 'Add token'}
        </Button>
      ) : (
        fault && (
          <Button size="small" icon={RotateCw} onClick={() => syncAgain(source)}>
            Try again
          </Button>
        )
      )}
    </div>
  )
}

/** A registry beside the first: what it lists, its token (never shown), and what can be done with it. */
export function RegistryRow({
  source,
  isInMemory,
}: {
  readonly source: SourceView
  /** Secrets are kept in memory: there is no keychain. */
  readonly isInMemory: boolean
}): ReactElement {
  const { sourceId, baseUrl, enabled, hasToken } = source
  const now = useNow(60_000)
  const [asking, setAsking] = useState<Asking | null>(null)
  const close = (): void => setAsking(null)
  return (
    <li className="row at-top gap-2">
      <Library className="icon icon-s faint" aria-hidden />
      <div className="grow col break">
        <b className="break">{baseUrl}</b>
        <span className="soft small num">{listedText(source, now)}</span>
        {hasToken && (
          <span className="soft small row gap-1">
            <LockKeyhole className="icon icon-s" aria-hidden />
            Token: {isInMemory ? 'Saved in memory' : 'Saved in keychain'}
          </span>
        )}
        <ErrorLatch source={source} onReplace={() => setAsking('token')} />
      </div>
      <Switch
        aria-label={`Sync ${baseUrl}`}
        checked={enabled}
        onCheckedChange={(on) => {
          call('catalog.changeSource', { sourceId, enabled: on }).catch(tellFailure)
        }}
      />
      <RowMenu source={source} onAsk={setAsking} />
      {asking === 'token' && <TokenDialog {...{ source, isInMemory }} onClose={close} />}
      {asking === 'tokenless' && <TokenlessDialog source={source} onClose={close} />}
      {asking === 'removal' && <RemovalDialog source={source} onClose={close} />}
    </li>
  )
}
