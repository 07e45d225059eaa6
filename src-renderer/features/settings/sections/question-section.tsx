import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { SecondsField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'

const QUESTION_MS = {
  key: 'questionMs',
  id: 'question-seconds',
  label: 'Request timeout (seconds)',
  hint: 'Patchbay declines unanswered requests for input or approval after this time.',
} as const

/** How long servers and agents wait for the person. */
export function QuestionSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Requests">
      <SecondsField of={QUESTION_MS} settings={settings} />
    </Section>
  )
}
