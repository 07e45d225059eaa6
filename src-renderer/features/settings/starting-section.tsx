import type { ReactElement } from 'react'

import type { Settings } from '../../../src-shared/domain/settings'
import { saveTyped } from './save-settings'
import { SettingField } from './setting-field'
import { STANDARD_SETTINGS, typedSeconds, typedWhole } from './setting-rules'
import { Section } from './setting-section'

type WholeField = {
  readonly key: 'installSlots' | 'spawnSlots' | 'maxMessageMb'
  readonly id: string
  readonly label: string
  readonly hint: string
}
type SecondsField = Omit<WholeField, 'key'> & {
  readonly key: 'installMs' | 'handshakeMs' | 'requestMs'
}

const SLOTS: readonly WholeField[] = [
  {
    key: 'installSlots',
    id: 'install-slots',
    label: 'Downloads at the same time',
    hint: 'Packages that are fetched side by side. A server that needs no download waits for none.',
  },
  {
    key: 'spawnSlots',
    id: 'spawn-slots',
    label: 'Processes started at the same time',
    hint: 'A server that is slow to answer takes no place.',
  },
]
const LIMITS: readonly SecondsField[] = [
  {
    key: 'installMs',
    id: 'install-seconds',
    label: 'Download limit, seconds',
    hint: 'How long fetching a package may take. What has come by then is kept. A server can have its own.',
  },
  {
    key: 'handshakeMs',
    id: 'handshake-seconds',
    label: 'Handshake limit, seconds',
    hint: 'How long a server may take to answer after it was started. A server can have its own.',
  },
  {
    key: 'requestMs',
    id: 'request-seconds',
    label: 'Request limit, seconds',
    hint: 'How long one call may take; a server that tells its progress gets more. A server can have its own.',
  },
]
const MESSAGE: WholeField = {
  key: 'maxMessageMb',
  id: 'message-size',
  label: 'Largest message, MB',
  hint: 'A larger answer fails its request; the connection goes on.',
}

function Whole({ field, settings }: { field: WholeField; settings: Settings }): ReactElement {
  const { key, id, label, hint } = field
  return (
    <SettingField
      id={id}
      label={label}
      hint={hint}
      numeric
      value={String(settings[key])}
      standard={String(STANDARD_SETTINGS[key])}
      onSave={saveTyped(typedWhole(key))}
    />
  )
}

function Seconds({ field, settings }: { field: SecondsField; settings: Settings }): ReactElement {
  const { key, id, label, hint } = field
  return (
    <SettingField
      id={id}
      label={label}
      hint={hint}
      numeric
      value={String(settings[key] / 1000)}
      standard={String(STANDARD_SETTINGS[key] / 1000)}
      onSave={saveTyped(typedSeconds(key))}
    />
  )
}

/** How many servers start at once, and how long each step may take. */
export function StartingSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Starting servers">
      {SLOTS.map((field) => (
        <Whole key={field.key} field={field} settings={settings} />
      ))}
      {LIMITS.map((field) => (
        <Seconds key={field.key} field={field} settings={settings} />
      ))}
      <Whole field={MESSAGE} settings={settings} />
    </Section>
  )
}
