import type { ReactElement } from 'react'
import { Link } from 'wouter'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { WholeField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'

const DAYS = {
  key: 'activityDays',
  id: 'activity-days',
  label: 'Keep activity for (days)',
  hint: 'At most 200,000 calls are kept. Each app’s permissions decide whether arguments are logged.',
} as const

/** How long the calls of agents are kept. */
export function ActivitySection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Activity" aside={<Link href="/activity">Show activity</Link>}>
      <WholeField of={DAYS} settings={settings} />
    </Section>
  )
}
