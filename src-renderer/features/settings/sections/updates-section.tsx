import type { ReactElement } from 'react'

import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { WholeField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'
import { AppUpdate } from './app-update'

const KEPT = {
  key: 'versionsKept',
  id: 'versions-kept',
  label: 'Previous versions to keep',
  hint: 'Lets you roll back a server with its settings, secrets, and approval. A lower number deletes the oldest versions immediately.',
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
