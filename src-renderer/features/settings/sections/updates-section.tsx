import type { ReactElement } from 'react'

import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { WholeField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'
import { AppUpdate } from './app-update'

const KEPT = {
  key: 'versionsKept',
  id: 'versions-kept',
  label: 'Versions kept to go back to',
  hint: 'After an update the versions before stay, each with its values, its secrets and what was approved of it. 0 keeps none. With fewer the oldest go at once, and their secrets with them.',
} as const

/** Updates of Patchbay, and how those of servers can be taken back. */
export function UpdatesSection({ app }: { readonly app: AppState }): ReactElement {
  const { settings, appUpdate } = app
  return (
    <Section title="Updates">
      {appUpdate && <AppUpdate update={appUpdate} settings={settings} />}
      <WholeField of={KEPT} settings={settings} />
    </Section>
  )
}
