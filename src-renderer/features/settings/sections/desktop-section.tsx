import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { Section } from '../setting/setting-section'
import { SwitchField } from '../setting/switch-setting'

const SWITCHES = [
  {
    key: 'keepRunning',
    id: 'keep-running',
    label: 'Keep running in the background',
    hint: 'After the window is closed, while a server runs or an agent is connected.',
  },
  {
    key: 'startAtLogin',
    id: 'start-at-login',
    label: 'Start at login',
    hint: 'Without the window. Open it from the tray or by starting Patchbay.',
  },
  {
    key: 'notifyApprovals',
    id: 'notify-approvals',
    label: 'Notify about approvals',
    hint: 'When an agent waits for your approval and the window is not in front.',
  },
  {
    key: 'notifyRequests',
    id: 'notify-requests',
    label: 'Notify about requests',
    hint: 'When a server asks you for details or to open a page.',
  },
  {
    key: 'notifyFailures',
    id: 'notify-failures',
    label: 'Notify about failures',
    hint: 'When a server failed or needs you to sign in.',
  },
] as const

/** How the desktop app lives in the system; the browser way in has none of it. */
export function DesktopSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Desktop">
      {SWITCHES.map((one) => (
        <SwitchField key={one.key} of={one} settings={settings} />
      ))}
    </Section>
  )
}
