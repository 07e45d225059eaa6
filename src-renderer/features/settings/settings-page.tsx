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
import { ActivitySection } from './activity-section'
import { AgentsSection } from './agents-section'
import { FiguresSection } from './figures-section'
import { HealthSection } from './health-section'
import { LogSection } from './log-section'
import { QuestionSection } from './question-section'
import { RecoverySection } from './recovery-section'
import { RegistrySection } from './registry-section'
import { RemovalSection } from './removal-section'
import { RunnerSection } from './runner-section'
import { saveSettings } from './save-settings'
import { SecretSection } from './secret-section'
import { Section } from './setting-section'
import { SignInSection } from './sign-in-section'
import { StartingSection } from './starting-section'
import { SwitchField } from './switch-setting'
import { ToolsSection } from './tools-section'

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

const SINGLE_KEYS = {
  key: 'singleKeys',
  id: 'single-keys',
  label: 'Shortcuts of single keys',
  hint: 'Such as / for the search. Those with Ctrl, Cmd or Alt and Esc always work.',
} as const

/** The app's preferences; every change is saved at once. */
export function SettingsPage(): ReactElement {
  const app = useApp((state) => state.app)
  const asked = new URLSearchParams(useSearch())
  const focused = asked.get('runner') ?? undefined
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
          <SwitchField of={SINGLE_KEYS} settings={settings} />
        </Section>
        <RegistrySection app={app} />
        <StartingSection settings={settings} />
        <RecoverySection settings={settings} />
        <HealthSection settings={settings} />
        <ToolsSection settings={settings} />
        <AgentsSection settings={settings} isAsked={asked.get('at') === 'gateway-port'} />
        <QuestionSection settings={settings} />
        <RunnerSection app={app} focused={focused} />
        <SignInSection settings={settings} />
        <SecretSection app={app} />
        <LogSection settings={settings} />
        <ActivitySection settings={settings} />
        <FiguresSection settings={settings} />
        <Places app={app} />
        <RemovalSection />
      </div>
    </Page>
  )
}
