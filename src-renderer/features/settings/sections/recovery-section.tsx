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
  label: 'Restart automatically',
  hint: 'Retries failed or disconnected servers with growing delays. Servers that need your input aren’t retried.',
} as const
const TRIES: NumberSetting<WholeKey> = {
  key: 'startTries',
  id: 'start-tries',
  label: 'Pause after failed starts',
  hint: 'After this many failed starts in a row, the server stays stopped until you start it.',
}
const WAITS: readonly NumberSetting<SecondsKey>[] = [
  {
    key: 'firstWaitMs',
    id: 'first-wait',
    label: 'First delay (seconds)',
    hint: 'Each delay varies by up to a quarter, so that servers don’t restart together.',
  },
  {
    key: 'longestWaitMs',
    id: 'longest-wait',
    label: 'Longest delay (seconds)',
    hint: 'Delays never grow beyond this.',
  },
]
const LOSSES: NumberSetting<WholeKey> = {
  key: 'breakerLosses',
  id: 'breaker-losses',
  label: 'Disconnects before cool-down',
  hint: 'A server that disconnects this often cools down, then gets one test start.',
}
const RESTS: readonly NumberSetting<SecondsKey>[] = [
  {
    key: 'breakerWindowMs',
    id: 'breaker-window',
    label: 'Disconnect window (seconds)',
    hint: 'Only disconnects in this time count.',
  },
  {
    key: 'breakerRestMs',
    id: 'breaker-rest',
    label: 'Cool-down (seconds)',
    hint: 'A failed test start begins another cool-down. Too many failures pause the server.',
  },
]

/** Whether and when servers that failed are started again. */
export function RecoverySection({ settings }: { readonly settings: Settings }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section title="Recovery">
      <SwitchField of={STARTS_AGAIN} settings={settings} />
      <WholeField of={TRIES} settings={settings} />
      <DisclosureButton
        label="Retry timing"
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
