import './settings.css'

import type { ReactElement } from 'react'
import { useState } from 'react'
import { useSearch } from 'wouter'

import type { AppState } from '../../../src-shared/domain/app-state'
import { useApp } from '../../stores/app-store'
import { Page } from '../../ui/page'
import { ProblemText } from '../../ui/problem-text'
import { Segmented } from '../../ui/segmented'
import { Skeleton } from '../../ui/skeleton'
import { LogSection } from './log-section'
import { RunnerSection } from './runner-section'
import { saveSettings, saveTyped } from './save-settings'
import { SecretSection } from './secret-section'
import { SettingField } from './setting-field'
import { STANDARD_SETTINGS, typedRegistryUrl } from './setting-rules'
import { Section } from './setting-section'
import { StartingSection } from './starting-section'

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

/** The app's preferences; every change is saved at once. */
export function SettingsPage(): ReactElement {
  const app = useApp((state) => state.app)
  const focused = new URLSearchParams(useSearch()).get('runner') ?? undefined
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
            onSave={(theme) => saveSettings({ theme })}
          />
          <Choice
            id="density"
            label="Density"
            value={settings.density}
            options={DENSITIES}
            onSave={(density) => saveSettings({ density })}
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
        <StartingSection settings={settings} />
        <RunnerSection app={app} focused={focused} />
        <SecretSection app={app} />
        <LogSection settings={settings} />
        <Places app={app} />
      </div>
    </Page>
  )
}
