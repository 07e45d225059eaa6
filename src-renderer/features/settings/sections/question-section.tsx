import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { SecondsField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'

const QUESTION_MS = {
  key: 'questionMs',
  id: 'question-seconds',
  label: 'Time that a question waits, seconds',
  hint: 'Servers ask for details, and agents for your yes to a call. One that nobody answers in this time is over, and nothing is sent or allowed.',
} as const

/** How long servers and agents wait for the person. */
export function QuestionSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Questions">
      <SecondsField of={QUESTION_MS} settings={settings} />
    </Section>
  )
}
