import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { SecondsField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'
import { SwitchField } from '../setting/switch-setting'

const HEALTH_CHECKS = {
  key: 'healthChecks',
  id: 'health-checks',
  label: 'Check idle servers',
  hint: 'A missed reply marks a server as degraded. Patchbay reconnects after three.',
} as const
const HEALTH_MS = {
  key: 'healthMs',
  id: 'health-seconds',
  label: 'Idle time before a check (seconds)',
  hint: 'Busy servers aren’t checked.',
} as const

/** Whether and when servers that say nothing are asked for a sign of life. */
export function HealthSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Health checks">
      <SwitchField of={HEALTH_CHECKS} settings={settings} />
      <SecondsField of={HEALTH_MS} settings={settings} />
    </Section>
  )
}
