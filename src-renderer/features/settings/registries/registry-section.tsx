import {
  Ellipsis,
  KeyRound,
  Library,
  LockKeyhole,
  LockOpen,
  Plus,
  RotateCw,
  Trash2,
} from 'lucide-react'
import { type ReactElement, useState } from 'react'

import type { SourceView } from '../../../../src-shared/domain/catalog/catalog-state'
import { OFFICIAL_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { SecretDialog } from '../../../components/secret/secret-dialogs'
import { typedRegistryUrl } from '../../../components/settings/settings-table'
import { faultOf, hostOf, listedText } from '../../../components/status/registry-messages'
import { call } from '../../../ipc/call'
import { attempt, formProblem, showFailure } from '../../../ipc/show-failure'
import { useNow, useSecretsInMemory } from '../../../stores/app-store'
import { Button, IconButton } from '../../../ui/controls/button'
import { Switch } from '../../../ui/controls/choice'
import { Menu, MenuAction, MenuSeparator } from '../../../ui/controls/menu'
import { Field, ProblemText, TextInput } from '../../../ui/fields/field'
import { SecretInput } from '../../../ui/fields/secret-input'
import { ConfirmDialog, FormDialog, type Problems } from '../../../ui/overlays/dialog'
import { problemText } from '../../../ui/text/format'
import { SettingsBlock } from '../setting-row'

/** The registries of the catalog in addition to its main one. */
export function RegistryBlock({ app }: { readonly app: AppState }): ReactElement {
  const [isAdding, setIsAdding] = useState(false)
  const others = app.catalog.sources.filter(({ sourceId }) => sourceId !== OFFICIAL_SOURCE)
  return (
    <SettingsBlock
      title="Other registries"
      aside={
        <Button id="add-registry" size="small" icon={Plus} onClick={() => setIsAdding(true)}>
          Add registry
        </Button>
      }
    >
      {others.length === 0 ? (
        <p className="text-muted">
          Servers of other registries, such as your company’s, appear in the catalog.
        </p>
      ) : (
        <ul className="flex flex-col divide-y divide-line *:py-2" aria-label="Other registries">
          {others.map((source) => (
            <RegistryRow key={source.sourceId} source={source} />
          ))}
        </ul>
      )}
      {isAdding && <AddRegistryDialog onClose={() => setIsAdding(false)} />}
    </SettingsBlock>
  )
}

async function addRegistry(props: {
  readonly address: string
  readonly token: string
  readonly onAdded: () => void
}): Promise<Problems> {
  const { address, token, onAdded } = props
  const typed = typedRegistryUrl(address)
  if ('problem' in typed) return { address: typed.problem }
  const { registryUrl: baseUrl = '' } = typed.change
  try {
    await call('catalog.addSource', { baseUrl, ...(token !== '' && { token }) })
    onAdded()
    return {}
  } catch (thrown) {
    return formProblem(thrown, 'address')
  }
}

function AddRegistryDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const isInMemory = useSecretsInMemory()
  const [address, setAddress] = useState('')
  const [token, setToken] = useState('')
  return (
    <FormDialog
      title="Add registry"
      description="The catalog also shows the servers of this registry. Its operator decides what is listed."
      submitLabel="Add"
      onSubmit={() => addRegistry({ address, token: token.trim(), onAdded: onClose })}
      onClose={onClose}
    >
      {({ id, problems }) => (
        <>
          <Field
            id={`${id}-address`}
            label="Address"
            hint="Enter the address without /v0.1."
            problem={problems.address}
          >
            {(ids) => (
              <TextInput
                {...ids}
                mono
                inputMode="url"
                aria-required
                value={address}
                onValueChange={setAddress}
              />
            )}
          </Field>
          <Field
            id={`${id}-token`}
            label="Token"
            hint={`Only if the registry requires one. Saved in ${isInMemory ? 'memory until you quit' : 'the keychain'} and sent only to this address.`}
          >
            {(ids) => (
              <SecretInput
                ids={ids}
                value={token}
                onValueChange={(next) => setToken(next ?? '')}
                required={false}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

type DialogKind = 'token' | 'tokenless' | 'removal'

function retrySync({ sourceId }: SourceView): void {
  call('catalog.sync', { sourceId }).catch(showFailure)
}

function Dialogs(props: {
  readonly source: SourceView
  readonly dialog: DialogKind
  readonly onClose: () => void
}): ReactElement {
  const { source, dialog, onClose } = props
  const { sourceId, baseUrl, hasToken } = source
  const isInMemory = useSecretsInMemory()
  const host = hostOf(baseUrl)
  switch (dialog) {
    case 'token':
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
    case 'tokenless':
      return (
        <ConfirmDialog
          onClose={onClose}
          title="Remove token?"
          description={`Patchbay then connects to ${baseUrl} without a token. Servers already listed stay in the catalog.`}
          confirmLabel="Remove token"
          onConfirm={() => attempt(call('catalog.changeSource', { sourceId, token: null }))}
        />
      )
    case 'removal':
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
}

/** The error of a registry and its button: replace the token if that is the cause, else retry. */
function RegistryError(props: {
  readonly source: SourceView
  readonly onReplace: () => void
}): ReactElement {
  const { source, onReplace } = props
  const fault = source.enabled ? faultOf(source) : undefined
  const isOfToken = fault?.code === 'sign-in-needed' || fault?.code === 'token-unread'
  return (
    <div className="grid justify-items-start gap-1" role="status">
      {fault && <ProblemText alert={false}>{problemText(fault)}</ProblemText>}
      {fault && (
        <Button
          size="small"
          icon={isOfToken ? KeyRound : RotateCw}
          onClick={isOfToken ? onReplace : () => retrySync(source)}
        >
          {isOfToken ? `${source.hasToken ? 'Replace' : 'Add'} token` : 'Try again'}
        </Button>
      )}
    </div>
  )
}

function RegistryRow({ source }: { readonly source: SourceView }): ReactElement {
  const isInMemory = useSecretsInMemory()
  const { sourceId, baseUrl, enabled, hasToken } = source
  const now = useNow(60_000)
  const [dialog, setDialog] = useState<DialogKind | null>(null)
  const label = `Actions for ${baseUrl}`
  return (
    <li className="flex items-start gap-2">
      <Library className="icon icon-s text-faint" aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col wrap-anywhere">
        <b className="wrap-anywhere">{baseUrl}</b>
        <span className="text-small text-muted tabular-nums">{listedText(source, now)}</span>
        {hasToken && (
          <span className="flex items-center gap-1 text-small text-muted">
            <LockKeyhole className="icon icon-s" aria-hidden />
            Token: {isInMemory ? 'Saved in memory' : 'Saved in keychain'}
          </span>
        )}
        <RegistryError source={source} onReplace={() => setDialog('token')} />
      </div>
      <Switch
        aria-label={`Sync ${baseUrl}`}
        checked={enabled}
        onCheckedChange={(on) => {
          call('catalog.changeSource', { sourceId, enabled: on }).catch(showFailure)
        }}
      />
      <Menu label={label} trigger={<IconButton small label={label} icon={Ellipsis} />}>
        <MenuAction icon={KeyRound} onSelect={() => setDialog('token')}>
          {hasToken ? 'Replace token…' : 'Add token…'}
        </MenuAction>
        {hasToken && (
          <MenuAction icon={LockOpen} danger onSelect={() => setDialog('tokenless')}>
            Remove token…
          </MenuAction>
        )}
        <MenuSeparator />
        <MenuAction icon={Trash2} danger onSelect={() => setDialog('removal')}>
          Remove registry…
        </MenuAction>
      </Menu>
      {dialog && <Dialogs {...{ source, dialog }} onClose={() => setDialog(null)} />}
    </li>
  )
}
