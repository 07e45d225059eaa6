import { LockKeyhole, RotateCw } from 'lucide-react'
import { type ReactElement, useState } from 'react'

import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { NETWORK_CHANGED, type NetworkView } from '../../../../src-shared/domain/state/network-view'
import { SecretDialog } from '../../../components/secret/secret-dialog'
import { type SettingEntry, SETTINGS } from '../../../components/settings/settings-table'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/tell-failure'
import { useRequest } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { ProblemText, WarnText } from '../../../ui/fields/problem-text'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { RestartLine } from '../restart-line'
import { SettingRow } from '../setting-row'
import { SettingsBlock } from '../settings-block'
import { CertificateFiles } from './certificate-files'
import { typedProxy, typedProxyUser, typedWithoutProxy } from './network-rules'

type PasswordState = NetworkView['password']

const TROUBLE: Readonly<Partial<Record<PasswordState, string>>> = {
  other: 'The password belongs to another address or user name. Enter it again.',
  lost: 'The password is missing from the keychain. Enter it again.',
  unread: 'Can’t read the password. Unlock the keychain, then refresh.',
}

function wordsOf(state: PasswordState | undefined, isInMemory: boolean): string {
  if (state === undefined) return 'Checking.'
  if (state === 'none') return 'Not set.'
  return isInMemory ? 'Saved in memory.' : 'Saved in keychain.'
}

/** The password of the proxy: whether there is one, never which. */
function ProxyPassword({
  state,
  proxyUrl,
  isInMemory,
  onChange,
}: {
  readonly state: PasswordState | undefined
  readonly proxyUrl: string
  /** Secrets are kept in memory: there is no keychain. */
  readonly isInMemory: boolean
  readonly onChange: () => void
}): ReactElement {
  const [asking, setAsking] = useState<'value' | 'removal' | null>(null)
  const isKept = state !== undefined && state !== 'none'
  const trouble = state && TROUBLE[state]
  const close = (): void => setAsking(null)
  const label = isKept ? 'Replace password' : 'Add password'
  const place = isInMemory ? 'memory until you quit' : 'the keychain'
  return (
    <div className="setting ruled is-wide">
      <span className="medium">Password</span>
      <span />
      <div className="row wrap gap-4 rows-2">
        <span className="row gap-1">
          <LockKeyhole className="icon icon-s" aria-hidden />
          {trouble === undefined && wordsOf(state, isInMemory)}
          {trouble !== undefined && <ProblemText alert={false}>{trouble}</ProblemText>}
        </span>
        <Button id="proxy-password" size="small" onClick={() => setAsking('value')}>
          {label}
        </Button>
        {isKept && (
          <Button size="small" variant="quiet" onClick={() => setAsking('removal')}>
            Remove password
          </Button>
        )}
      </div>
      {asking === 'value' && (
        <SecretDialog
          title={label}
          description={`Saved in ${place}. Sent only to ${proxyUrl === '' ? 'the proxy' : proxyUrl}.`}
          withValue
          valueLabel="Password"
          confirmLabel={label}
          onConfirm={async ({ value }) => {
            await call('network.setPassword', { password: value })
            onChange()
          }}
          onClose={close}
        />
      )}
      {asking === 'removal' && (
        <ConfirmDialog
          onClose={close}
          title="Remove proxy password?"
          description="Connections fail if the proxy requires the password."
          confirmLabel="Remove password"
          onConfirm={() => attempt(call('network.setPassword', { password: null }).then(onChange))}
          focusAfterId="proxy-password"
        />
      )}
    </div>
  )
}

const ADDRESS: SettingEntry = {
  ...{ section: 'network', kind: 'text', key: 'proxyUrl', label: 'Proxy address' },
  description: 'HTTP or HTTPS proxy for all addresses.',
  ...{ placeholder: 'http://proxy.example:8080', read: typedProxy },
}
const USER: SettingEntry = {
  ...{ section: 'network', kind: 'text', key: 'proxyUser', label: 'User name' },
  description: 'Only if the proxy requires sign-in.',
  read: typedProxyUser,
}
const FOR_SERVERS: SettingEntry = {
  ...{ section: 'network', kind: 'switch' },
  key: 'proxyPasswordForServers',
  label: 'Share proxy password with servers',
  description: 'Servers can then read the password. Package downloads always use it.',
}
const BYPASS: SettingEntry = {
  ...{ section: 'network', kind: 'text', key: 'withoutProxy', label: 'Bypass proxy for' },
  description:
    'Comma-separated domains, IP addresses, or CIDR ranges. This computer is always bypassed.',
  ...{ placeholder: 'acme.example, 10.0.0.0/8', read: typedWithoutProxy },
}

const PROXY = SETTINGS.find(({ key }) => key === 'proxyMode')

const SYSTEM_WORDS: Readonly<Record<NetworkView['system'], string>> = {
  environment: 'Set by HTTPS_PROXY, HTTP_PROXY, or ALL_PROXY.',
  desktop: 'The desktop chooses the proxy for each address.',
  none: 'No system proxy is set.',
}

/** The proxy that is named manually. */
function NamedProxy({
  app,
  password,
  onChange,
}: {
  readonly app: AppState
  readonly password: NetworkView['password'] | undefined
  readonly onChange: () => void
}): ReactElement {
  const { settings, secretStore } = app
  return (
    <>
      <SettingRow
        of={ADDRESS}
        settings={settings}
        below={
          <WarnText>
            {settings.proxyUrl === ''
              ? 'Patchbay stays offline until you enter a proxy address.'
              : undefined}
          </WarnText>
        }
      />
      <SettingRow of={USER} settings={settings} />
      <ProxyPassword
        state={password}
        proxyUrl={settings.proxyUrl}
        isInMemory={secretStore.kind === 'memory'}
        onChange={onChange}
      />
      <SettingRow of={FOR_SERVERS} settings={settings} />
    </>
  )
}

/** By which proxy others are reached, and which authorities are trusted besides those of the system. */
export function NetworkBlock({ app }: { readonly app: AppState }): ReactElement {
  const { settings } = app
  const { proxyMode, proxyUrl, proxyUser, proxyPasswordId, certificateFiles } = settings
  const state = [proxyMode, proxyUrl, proxyUser, proxyPasswordId, app.secretStore.kind]
  const {
    value: view,
    loaded,
    retry,
  } = useRequest('network.read', {}, { state: [...state, ...certificateFiles] })
  return (
    <SettingsBlock
      title="Proxy and certificates"
      aside={
        <Button size="small" icon={RotateCw} busy={loaded.kind === 'loading'} onClick={retry}>
          Refresh
        </Button>
      }
    >
      {loaded.kind === 'failed' && <ProblemText>{loaded.problem.message}</ProblemText>}
      <div className="col">
        {PROXY && (
          <SettingRow
            of={PROXY}
            settings={settings}
            more={proxyMode === 'system' && view ? SYSTEM_WORDS[view.system] : undefined}
          />
        )}
        {proxyMode === 'manual' && (
          <NamedProxy app={app} password={view?.password} onChange={retry} />
        )}
        <SettingRow of={BYPASS} settings={settings} />
        <CertificateFiles
          files={certificateFiles}
          views={view?.certificates ?? []}
          canPickPath={app.info.canPickPath}
        />
      </div>
      <RestartLine
        waiting={app.servers.filter(({ unapplied }) => unapplied.includes(NETWORK_CHANGED))}
      />
    </SettingsBlock>
  )
}
