import './settings.css'

import type { ReactElement } from 'react'
import { useSearch } from 'wouter'

import type { AppState } from '../../../src-shared/domain/state/app-state'
import { useApp } from '../../stores/app-store'
import { Page } from '../../ui/layout/page'
import { Skeleton } from '../../ui/layout/skeleton'
import { NetworkSection } from './network/network-section'
import { RegistrySection } from './registries/registry-section'
import { SecretSection } from './secrets/secret-section'
import { ActivitySection } from './sections/activity-section'
import { AppsSection } from './sections/apps-section'
import { DesktopSection } from './sections/desktop-section'
import { FiguresSection } from './sections/figures-section'
import { HealthSection } from './sections/health-section'
import { LogSection } from './sections/log-section'
import { QuestionSection } from './sections/question-section'
import { RecoverySection } from './sections/recovery-section'
import { RemovalSection } from './sections/removal-section'
import { RunnerSection } from './sections/runner-section'
import { SignInSection } from './sections/sign-in-section'
import { StartingSection } from './sections/starting-section'
import { ToolsSection } from './sections/tools-section'
import { UpdatesSection } from './sections/updates-section'
import { ChoiceField } from './setting/choice-setting'
import { saveSettings } from './setting/save-settings'
import { STANDARD_SETTINGS } from './setting/setting-rules'
import { Section } from './setting/setting-section'
import { SwitchField } from './setting/switch-setting'

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'contrast', label: 'High contrast dark' },
  { value: 'contrast-light', label: 'High contrast light' },
] as const
const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

function secretsText(secretStore: AppState['secretStore']): string {
  switch (secretStore.kind) {
    case 'checking':
      return 'Checking the keychain.'
    case 'keychain':
      return 'In your keychain. The settings file contains only references.'
    case 'file':
      return 'In an encrypted file of the profile.'
    case 'locked':
      return 'In an encrypted file that is locked.'
    case 'memory':
      return 'In memory until you quit.'
  }
}

function Places({ app }: { readonly app: AppState }): ReactElement {
  return (
    <Section title="Storage and version">
      <dl className="facts stack">
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
  label: 'Single-key shortcuts',
  hint: 'Use keys such as / to search. Shortcuts with Ctrl, Cmd, or Alt always work.',
} as const

/** The app's preferences; every change is saved at once. */
export function SettingsPage(): ReactElement {
  const app = useApp((state) => state.app)
  const asked = new URLSearchParams(useSearch())
  const focused = asked.get('runner') ?? undefined
  if (app === null)
    return (
      <Page title="Settings">
        <Skeleton label="Loading settings" />
      </Page>
    )
  const { settings } = app
  return (
    <Page title="Settings">
      <div className="measure col gap-6">
        <Section title="Appearance">
          <ChoiceField
            id="theme"
            label="Theme"
            value={settings.theme}
            standard={STANDARD_SETTINGS.theme}
            options={THEMES}
            onSave={(theme) => saveSettings({ theme })}
          />
          <ChoiceField
            id="density"
            label="Density"
            value={settings.density}
            standard={STANDARD_SETTINGS.density}
            options={DENSITIES}
            onSave={(density) => saveSettings({ density })}
          />
          <SwitchField of={SINGLE_KEYS} settings={settings} />
        </Section>
        {app.info.wayIn === 'desktop' && <DesktopSection settings={settings} />}
        <RegistrySection app={app} />
        <NetworkSection app={app} />
        <StartingSection settings={settings} />
        <RecoverySection settings={settings} />
        <UpdatesSection app={app} />
        <HealthSection settings={settings} />
        <ToolsSection settings={settings} />
        <AppsSection settings={settings} isAsked={asked.get('at') === 'gateway-port'} />
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
