import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { Section } from '../setting/setting-section'
import { SwitchField } from '../setting/switch-setting'

const SWITCHES = [
  {
    key: 'keepRunning',
    id: 'keep-running',
    label: 'Keep running in the background',
    hint: 'Patchbay stays open after you close the window while servers run or apps are connected.',
  },
  {
    key: 'startAtLogin',
    id: 'start-at-login',
    label: 'Start at login',
    hint: 'Patchbay starts without a window. Open the window from the tray.',
  },
  {
    key: 'notifyApprovals',
    id: 'notify-approvals',
    label: 'Notify about approvals',
    hint: 'When a call needs your approval and the window is in the background.',
  },
  {
    key: 'notifyRequests',
    id: 'notify-requests',
    label: 'Notify about requests',
    hint: 'When a server asks for input or wants to open a page.',
  },
  {
    key: 'notifyFailures',
    id: 'notify-failures',
    label: 'Notify about failures',
    hint: 'When a server fails or needs you to sign in.',
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
