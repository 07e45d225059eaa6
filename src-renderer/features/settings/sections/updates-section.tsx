import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { WholeField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'

const KEPT = {
  key: 'versionsKept',
  id: 'versions-kept',
  label: 'Versions kept to go back to',
  hint: 'After an update the versions before stay, each with its values, its secrets and what was approved of it. 0 keeps none. With fewer the oldest go at once, and their secrets with them.',
} as const

/** How updates of servers can be taken back. */
export function UpdatesSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Updates">
      <WholeField of={KEPT} settings={settings} />
    </Section>
  )
}
