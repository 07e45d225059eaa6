import { LockKeyhole, RotateCw } from 'lucide-react'
import { type ReactElement, useState } from 'react'

import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { NETWORK_CHANGED, type NetworkView } from '../../../../src-shared/domain/state/network-view'
import { SecretDialog } from '../../../components/secret/secret-dialog'
import { STANDARD_SETTINGS } from '../../../components/settings/setting-rules'
import { SETTINGS } from '../../../components/settings/settings-table'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/tell-failure'
import { useRequest } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { WarnText } from '../../../ui/fields/problem-text'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { RestartLine } from '../restart-line'
import { saveTyped } from '../save-settings'
import { SettingField } from '../setting-field'
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

function Dialogs(props: {
  readonly asking: 'value' | 'removal' | null
  readonly isKept: boolean
  readonly proxyUrl: string
  readonly isInMemory: boolean
  readonly onDone: () => void
  readonly onClose: () => void
}): ReactElement | null {
  const { asking, isKept, proxyUrl, isInMemory, onDone, onClose } = props
  if (asking === 'value')
    return (
      <SecretDialog
        title={isKept ? 'Replace password' : 'Add password'}
        description={`Saved in ${isInMemory ? 'memory until you quit' : 'the keychain'}. Sent only to ${proxyUrl === '' ? 'the proxy' : proxyUrl}.`}
        withValue
        valueLabel="Password"
        confirmLabel={isKept ? 'Replace password' : 'Add password'}
        onConfirm={async ({ value }) => {
          await call('network.setPassword', { password: value })
          onDone()
        }}
        onClose={onClose}
      />
    )
  if (asking === null) return null
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Remove proxy password?"
      description="Connections fail if the proxy requires the password."
      confirmLabel="Remove password"
      onConfirm={() => attempt(call('network.setPassword', { password: null }).then(onDone))}
      focusAfterId="proxy-password"
    />
  )
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
  return (
    <div className="field stack gap-1">
      <div className="label flex at-base gap-2 slim medium">
        <span>Password</span>
      </div>
      <div className="row wrap gap-4 rows-2">
        <span className="row gap-1">
          <LockKeyhole className="icon icon-s" aria-hidden />
          {trouble === undefined && wordsOf(state, isInMemory)}
          {trouble !== undefined && <ProblemText alert={false}>{trouble}</ProblemText>}
        </span>
        <Button id="proxy-password" size="small" onClick={() => setAsking('value')}>
          {isKept ? 'Replace password' : 'Add password'}
        </Button>
        {isKept && (
          <Button size="small" variant="quiet" onClick={() => setAsking('removal')}>
            Remove password
          </Button>
        )}
      </div>
      <Dialogs
        {...{ asking, isKept, proxyUrl, isInMemory }}
        onDone={onChange}
        onClose={() => setAsking(null)}
      />
    </div>
  )
}

const FOR_SERVERS = {
  kind: 'switch',
  section: 'network',
  key: 'proxyPasswordForServers',
  label: 'Share proxy password with servers',
  description: 'Servers can then read the password. Package downloads always use it.',
} as const

const PROXY = SETTINGS.find(({ key }) => key === 'proxyMode')

const SYSTEM_WORDS: Readonly<Record<NetworkView['system'], string>> = {
  environment: 'Set by HTTPS_PROXY, HTTP_PROXY, or ALL_PROXY.',
  desktop: 'The desktop chooses the proxy for each address.',
  none: 'No system proxy is set.',
}

/** The newest view, kept on screen while the next one is on its way. */
function useNetwork({ settings, secretStore }: AppState): {
  readonly view: NetworkView | undefined
  readonly problem: string | undefined
  readonly isBusy: boolean
  readonly look: () => void
} {
  const { proxyMode, proxyUrl, proxyUser, proxyPasswordId, certificateFiles } = settings
  const { kind } = secretStore
  const state = [proxyMode, proxyUrl, proxyUser, proxyPasswordId, kind, ...certificateFiles]
  const { value, loaded, retry } = useRequest('network.read', {}, { state })
  return {
    view: value,
    problem: loaded.kind === 'failed' ? loaded.problem.message : undefined,
    isBusy: loaded.kind === 'loading',
    look: retry,
  }
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
      <SettingField
        id="proxy-address"
        label="Proxy address"
        hint="HTTP or HTTPS proxy for all addresses."
        placeholder="http://proxy.example:8080"
        value={settings.proxyUrl}
        standard={STANDARD_SETTINGS.proxyUrl}
        onSave={saveTyped(typedProxy)}
        below={
          <WarnText>
            {settings.proxyUrl === ''
              ? 'Patchbay stays offline until you enter a proxy address.'
              : undefined}
          </WarnText>
        }
      />
      <SettingField
        id="proxy-user"
        label="User name"
        hint="Only if the proxy requires sign-in."
        value={settings.proxyUser}
        standard={STANDARD_SETTINGS.proxyUser}
        onSave={saveTyped(typedProxyUser)}
      />
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
  const { view, problem, isBusy, look } = useNetwork(app)
  const isManual = settings.proxyMode === 'manual'
  return (
    <SettingsBlock
      title="Proxy and certificates"
      aside={
        <Button size="small" icon={RotateCw} busy={isBusy} onClick={look}>
          Refresh
        </Button>
      }
    >
      {problem === undefined ? null : <ProblemText>{problem}</ProblemText>}
      {PROXY && (
        <SettingRow
          of={PROXY}
          settings={settings}
          more={settings.proxyMode === 'system' && view ? SYSTEM_WORDS[view.system] : undefined}
        />
      )}
      {isManual && <NamedProxy app={app} password={view?.password} onChange={look} />}
      <SettingField
        id="without-proxy"
        label="Bypass proxy for"
        hint="Comma-separated domains, IP addresses, or CIDR ranges. This computer is always bypassed."
        placeholder="acme.example, 10.0.0.0/8"
        value={settings.withoutProxy}
        standard={STANDARD_SETTINGS.withoutProxy}
        onSave={saveTyped(typedWithoutProxy)}
      />
      <CertificateFiles
        files={settings.certificateFiles}
        views={view?.certificates ?? []}
        canPickPath={app.info.canPickPath}
      />
      <RestartLine
        waiting={app.servers.filter(({ unapplied }) => unapplied.includes(NETWORK_CHANGED))}
      />
    </SettingsBlock>
  )
}
