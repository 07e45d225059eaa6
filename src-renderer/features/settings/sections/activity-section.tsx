import type { ReactElement } from 'react'
import { Link } from 'wouter'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { WholeField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'

const DAYS = {
  key: 'activityDays',
  id: 'activity-days',
  label: 'Days that calls of agents are kept',
  hint: 'Older calls are deleted, and the oldest of more than 200,000. Arguments are kept only where the profile of an agent says so.',
} as const

/** How long the calls of agents are kept. */
export function ActivitySection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Activity" aside={<Link href="/activity">Show the activity</Link>}>
      <WholeField of={DAYS} settings={settings} />
    </Section>
  )
}
