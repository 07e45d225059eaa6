import './settings.css'

import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'

import type { AppState } from '../../../src-shared/domain/app-state'
import type { Settings } from '../../../src-shared/domain/settings'
import { call, toErrorShape } from '../../ipc/call'
import { useApp } from '../../stores/app-store'
import { Page } from '../../ui/page'
import { ProblemText } from '../../ui/problem-text'
import { Segmented } from '../../ui/segmented'
import { Skeleton } from '../../ui/skeleton'
import { SettingField } from './setting-field'
import type { TypedSetting } from './setting-rules'
import {
  STANDARD_SETTINGS,
  typedHandshake,
  typedInstallSlots,
  typedRegistryUrl,
} from './setting-rules'

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'contrast', label: 'Dark contrast' },
  { value: 'contrast-light', label: 'Light contrast' },
] as const
const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

/** Saves a change; resolves to a sentence when main refuses it. */
async function save(change: Partial<Settings>): Promise<string | undefined> {
  try {
    await call('settings.update', change)
    return undefined
  } catch (thrown) {
    const { message, hint } = toErrorShape(thrown)
    return hint === undefined ? message : `${message} ${hint}`
  }
}

function saveTyped(
  read: (text: string) => TypedSetting,
): (text: string) => Promise<string | undefined> {
  return async (text) => {
    const typed = read(text)
    return 'problem' in typed ? typed.problem : save(typed.change)
  }
}

function Section({
  title,
  children,
}: {
  readonly title: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <section className="setting-section" aria-label={title}>
      <h2>{title}</h2>
      <div className="setting-fields">{children}</div>
    </section>
  )
}

function Choice<T extends string>(props: {
  readonly id: string
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onSave: (value: T) => Promise<string | undefined>
}): ReactElement {
  const { id, label, value, options, onSave } = props
  const [problem, setProblem] = useState<string | undefined>(undefined)
  return (
    <div className="field">
      <div className="label">
        <span>{label}</span>
      </div>
      <div>
        <Segmented
          id={id}
          label={label}
          value={value}
          options={options}
          onValueChange={(next) => void onSave(next).then(setProblem)}
        />
      </div>
      {problem === undefined ? null : <ProblemText>{problem}</ProblemText>}
    </div>
  )
}

function secretsText(secretStore: AppState['secretStore']): string {
  switch (secretStore.kind) {
    case 'checking':
      return 'Looking for the system’s keychain.'
    case 'keychain':
      return 'In the system’s keychain. The settings file holds references only.'
    case 'memory':
      return `In memory for this run only. ${secretStore.reason}`
  }
}

function Places({ app }: { readonly app: AppState }): ReactElement {
  return (
    <Section title="Where things are kept">
      <dl className="facts">
        <dt>Profile</dt>
        <dd>
          <code>{app.info.profileDir}</code>
        </dd>
        <dt>Secrets</dt>
        <dd>{secretsText(app.secretStore)}</dd>
        <dt>Version</dt>
        <dd className="num">
          Patchbay {app.info.version},{' '}
          {app.info.wayIn === 'desktop' ? 'desktop app' : 'in the browser'}
        </dd>
      </dl>
    </Section>
  )
}

function Starting({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Starting servers">
      <SettingField
        id="install-slots"
        label="Servers that install at the same time"
        hint="Fetching packages and starting processes. A server that is slow to answer takes no place."
        numeric
        value={String(settings.installSlots)}
        standard={String(STANDARD_SETTINGS.installSlots)}
        onSave={saveTyped(typedInstallSlots)}
      />
      <SettingField
        id="handshake-seconds"
        label="Handshake limit, seconds"
        hint="How long a server may take to answer after it was started. A server can have its own."
        numeric
        value={String(settings.handshakeMs / 1000)}
        standard={String(STANDARD_SETTINGS.handshakeMs / 1000)}
        onSave={saveTyped(typedHandshake)}
      />
    </Section>
  )
}

/** The app's preferences; every change is saved at once. */
export function SettingsPage(): ReactElement {
  const app = useApp((state) => state.app)
  if (app === null)
    return (
      <Page title="Settings">
        <Skeleton label="Loading the settings" />
      </Page>
    )
  const { settings } = app
  return (
    <Page title="Settings">
      <div className="settings">
        <Section title="Appearance">
          <Choice
            id="theme"
            label="Theme"
            value={settings.theme}
            options={THEMES}
            onSave={(theme) => save({ theme })}
          />
          <Choice
            id="density"
            label="Density"
            value={settings.density}
            options={DENSITIES}
            onSave={(density) => save({ density })}
          />
        </Section>
        <Section title="Catalog">
          <SettingField
            id="registry-url"
            label="Registry address"
            hint="The registry that the catalog searches. Its API is found below /v0.1."
            value={settings.registryUrl}
            standard={STANDARD_SETTINGS.registryUrl}
            onSave={saveTyped(typedRegistryUrl)}
          />
        </Section>
        <Starting settings={settings} />
        <Places app={app} />
      </div>
    </Page>
  )
}
