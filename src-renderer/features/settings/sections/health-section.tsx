import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { SecondsField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'
import { SwitchField } from '../setting/switch-setting'

const HEALTH_CHECKS = {
  key: 'healthChecks',
  id: 'health-checks',
  label: 'Ask idle servers whether they still answer',
  hint: 'Any answer within 10 s will do, or within the idle time where that is shorter. A server that misses one is degraded; after three it gets a new connection.',
} as const
const HEALTH_MS = {
  key: 'healthMs',
  id: 'health-seconds',
  label: 'Idle time before it is asked, seconds',
  hint: 'A server that is at work is not asked.',
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
