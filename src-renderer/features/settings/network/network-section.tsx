import { FileBadge, LockKeyhole, X } from 'lucide-react'
import { type ReactElement, useState } from 'react'

import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { NETWORK_CHANGED, type NetworkView } from '../../../../src-shared/domain/state/network-view'
import { readProxyAddress } from '../../../../src-shared/domain/state/proxy-address'
import { SecretDialog } from '../../../components/secret/secret-dialogs'
import {
  changeTo,
  type SettingEntry,
  SETTINGS,
  type TypedSetting,
} from '../../../components/settings/settings-table'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/show-failure'
import { useRequest } from '../../../ipc/use-request'
import { appStore, useApp, useSecretsInMemory } from '../../../stores/app-store'
import { Button, IconButton } from '../../../ui/controls/button'
import { ProblemText, WarnText } from '../../../ui/fields/field'
import { ConfirmDialog } from '../../../ui/overlays/dialog'
import { showToast } from '../../../ui/overlays/toast'
import { counted } from '../../../ui/text/format'
import {
  BrowseButton,
  RestartNotice,
  saveSettings,
  saveTyped,
  SettingRow,
  SettingsBlock,
  TypedRow,
} from '../setting-row'

type PasswordState = NetworkView['password']

const PROBLEMS: Readonly<Partial<Record<PasswordState, string>>> = {
  other: 'The password belongs to another address or user name. Enter it again.',
  lost: 'The password is missing from the keychain. Enter it again.',
  unread: 'Can’t read the password. Unlock the keychain, then refresh.',
}

function passwordText(state: PasswordState | undefined, isInMemory: boolean): string {
  if (state === undefined) return 'Checking.'
  if (state === 'none') return 'Not set.'
  return isInMemory ? 'Saved in memory.' : 'Saved in keychain.'
}

/** The password of the proxy: shows whether one is set, never its value. */
function ProxyPassword(props: {
  readonly state: PasswordState | undefined
  readonly proxyUrl: string
  readonly onChange: () => void
}): ReactElement {
  const { state, proxyUrl, onChange } = props
  const isInMemory = useSecretsInMemory()
  const [dialog, setDialog] = useState<'value' | 'removal' | null>(null)
  const isStored = state !== undefined && state !== 'none'
  const problem = state && PROBLEMS[state]
  const close = (): void => setDialog(null)
  const label = isStored ? 'Replace password' : 'Add password'
  const location = isInMemory ? 'memory until you quit' : 'the keychain'
  return (
    <div className="setting is-wide border-b border-line">
      <span className="font-medium">Password</span>
      <span />
      <div className="flex flex-wrap items-center gap-4 gap-y-2">
        <span className="flex items-center gap-1">
          <LockKeyhole className="icon icon-s" aria-hidden />
          {problem === undefined && passwordText(state, isInMemory)}
          {problem !== undefined && <ProblemText alert={false}>{problem}</ProblemText>}
        </span>
        <Button id="proxy-password" size="small" onClick={() => setDialog('value')}>
          {label}
        </Button>
        {isStored && (
          <Button size="small" variant="quiet" onClick={() => setDialog('removal')}>
            Remove password
          </Button>
        )}
      </div>
      {dialog === 'value' && (
        <SecretDialog
          title={label}
          description={`Saved in ${location}. Sent only to ${proxyUrl === '' ? 'the proxy' : proxyUrl}.`}
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
      {dialog === 'removal' && (
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

function NamedProxy(props: {
  readonly app: AppState
  readonly password: NetworkView['password'] | undefined
  readonly onChange: () => void
}): ReactElement {
  const { app, password, onChange } = props
  const { settings } = app
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
      <ProxyPassword state={password} proxyUrl={settings.proxyUrl} onChange={onChange} />
      <SettingRow of={FOR_SERVERS} settings={settings} />
    </>
  )
}

/** The proxy for connections, and the trusted certificates in addition to the system's. */
export function NetworkBlock({ app }: { readonly app: AppState }): ReactElement {
  const { settings } = app
  const { proxyMode, proxyUrl, proxyUser, proxyPasswordId, certificateFiles } = settings
  const state = [proxyMode, proxyUrl, proxyUser, proxyPasswordId, app.secretStore.kind]
  const request = useRequest('network.read', {}, { state: [...state, ...certificateFiles] })
  const { value: view, retry } = request
  return (
    <SettingsBlock title="Proxy and certificates" request={request}>
      <div className="flex flex-col">
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
        <CertificateFiles files={certificateFiles} views={view?.certificates ?? []} />
      </div>
      <RestartNotice
        waiting={app.servers.filter(({ unapplied }) => unapplied.includes(NETWORK_CHANGED))}
      />
    </SettingsBlock>
  )
}

/** Parses the address of a proxy; empty for none. */
export function typedProxy(text: string): TypedSetting {
  const typed = text.trim()
  if (typed === '') return { change: { proxyUrl: '' } }
  const proxyUrl = readProxyAddress(typed)
  if (proxyUrl !== undefined) return { change: { proxyUrl } }
  return {
    problem: typed.includes('@')
      ? 'Enter the address without user name and password. Use the fields below.'
      : 'Enter an address such as http://proxy.example:8080.',
  }
}

/** Parses the user name for a proxy. */
export function typedProxyUser(text: string): TypedSetting {
  return changeTo('proxyUser', text.trim(), 'Enter a user name without a colon.')
}

/** Parses the addresses to reach without a proxy into a list with commas. */
export function typedWithoutProxy(text: string): TypedSetting {
  const entries = text.split(/[\s,;]+/u).filter((entry) => entry !== '')
  const problem = 'Enter domains, IP addresses, or ranges, such as acme.example, 10.0.0.0/8.'
  if (entries.some((entry) => entry.includes('://'))) return { problem }
  return changeTo('withoutProxy', entries.join(', '), problem)
}

/** Returns a parser that adds a certificate file to the list. */
export function typedCertificateFile(files: readonly string[]): (text: string) => TypedSetting {
  return (text) => {
    const path = text.trim().replace(/^"(.*)"$/u, '$1')
    if (path === '') return { change: {} }
    if (files.includes(path)) return { problem: 'This file is already in the list.' }
    const problem = 'Add at most 20 files. Put several certificates into one file.'
    return changeTo('certificateFiles', [...files, path], problem)
  }
}

type FileView = NetworkView['certificates'][number]

function FileRow(props: {
  readonly path: string
  readonly view: FileView | undefined
  readonly onRemove: () => void
}): ReactElement {
  const { path, view, onRemove } = props
  const count = view?.count ?? 0
  return (
    <li className="flex items-start gap-2">
      <FileBadge className="icon icon-s text-faint" aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col wrap-anywhere">
        <code className="wrap-anywhere">{path}</code>
        <div role="status">
          {view?.problem !== undefined && (
            <ProblemText alert={false}>
              {view.problem} No certificate in this file is trusted.
            </ProblemText>
          )}
          {view && view.problem === undefined && (
            <span className="text-small text-muted tabular-nums">{`${counted(count, 'certificate')} trusted`}</span>
          )}
        </div>
      </div>
      <IconButton small label={`Remove ${path}`} icon={X} onClick={onRemove} />
    </li>
  )
}

/** The current list, because another file may have been added since the last render. */
function currentFiles(): readonly string[] {
  return appStore.getState().app?.settings.certificateFiles ?? []
}

function CertificateFiles(props: {
  readonly files: readonly string[]
  readonly views: readonly FileView[]
}): ReactElement {
  const { files, views } = props
  const canPickPath = useApp(({ app }) => app?.info.canPickPath ?? false)
  const add = saveTyped((text) => typedCertificateFile(currentFiles())(text))
  async function remove(path: string): Promise<void> {
    document.getElementById('certificate-file')?.focus()
    const certificateFiles = currentFiles().filter((file) => file !== path)
    const problem = await saveSettings({ certificateFiles })
    if (problem !== undefined) showToast({ message: problem, tone: 'error' })
  }
  return (
    <div>
      <TypedRow
        id="certificate-file"
        label="Extra certificates"
        note="PEM"
        description="PEM file with extra root certificates. Patchbay and the servers it starts trust them. Press Enter to add."
        value=""
        standard=""
        onSave={add}
        suffix={
          canPickPath && (
            <BrowseButton
              of="certificate file"
              onPick={async (path) => {
                const problem = await add(path)
                if (problem !== undefined) showToast({ message: problem, tone: 'error' })
              }}
            />
          )
        }
      />
      {files.length > 0 && (
        <ul
          className="mt-3 flex flex-col divide-y divide-line *:py-2"
          aria-label="Certificate files"
        >
          {files.map((path) => (
            <FileRow
              key={path}
              path={path}
              view={views.find((one) => one.path === path)}
              onRemove={() => void remove(path)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
