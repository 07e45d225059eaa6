import type { ReactElement } from 'react'
import { useState } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import type { NumberSetting } from '../setting/number-setting'
import { SecondsField, WholeField } from '../setting/number-setting'
import type { SecondsKey, WholeKey } from '../setting/setting-rules'
import { Section } from '../setting/setting-section'
import { SwitchField } from '../setting/switch-setting'

const STARTS_AGAIN = {
  key: 'startsAgain',
  id: 'starts-again',
  label: 'Start again by itself',
  hint: 'A server that failed to start or was lost is started again, after a wait that doubles each time. What only you can mend, such as a missing value, is not tried again.',
} as const
const TRIES: NumberSetting<WholeKey> = {
  key: 'startTries',
  id: 'start-tries',
  label: 'Tries before a server pauses',
  hint: 'After so many failed starts in a row it waits for you.',
}
const WAITS: readonly NumberSetting<SecondsKey>[] = [
  {
    key: 'firstWaitMs',
    id: 'first-wait',
    label: 'First wait, seconds',
    hint: 'Before the first new try. Each wait is up to a quarter longer or shorter, so that servers do not all come back at once.',
  },
  {
    key: 'longestWaitMs',
    id: 'longest-wait',
    label: 'Longest wait, seconds',
    hint: 'No wait is longer, however often it fails.',
  },
]
const LOSSES: NumberSetting<WholeKey> = {
  key: 'breakerLosses',
  id: 'breaker-losses',
  label: 'Losses before a server rests',
  hint: 'A server that is lost so often in the time below rests, then gets one start on trial.',
}
const RESTS: readonly NumberSetting<SecondsKey>[] = [
  {
    key: 'breakerWindowMs',
    id: 'breaker-window',
    label: 'Time in which losses are counted, seconds',
    hint: 'Older losses count no more.',
  },
  {
    key: 'breakerRestMs',
    id: 'breaker-rest',
    label: 'Rest before a start on trial, seconds',
    hint: 'It rests again when the trial fails, and pauses when as many trials fail as are tried above.',
  },
]

/** Whether and when servers that failed are started again. */
export function RecoverySection({ settings }: { readonly settings: Settings }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section title="When a server fails">
      <SwitchField of={STARTS_AGAIN} settings={settings} />
      <WholeField of={TRIES} settings={settings} />
      <DisclosureButton
        label="Waits and rests"
        open={isOpen}
        controls="waits-and-rests"
        onOpenChange={setIsOpen}
      />
      <div id="waits-and-rests" className="col gap-5" hidden={!isOpen}>
        {WAITS.map((of) => (
          <SecondsField key={of.key} of={of} settings={settings} />
        ))}
        <WholeField of={LOSSES} settings={settings} />
        {RESTS.map((of) => (
          <SecondsField key={of.key} of={of} settings={settings} />
        ))}
      </div>
    </Section>
  )
}
