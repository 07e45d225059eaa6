import type { ReactElement } from 'react'
import { useState } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import type { NumberSetting } from '../setting/number-setting'
import { SecondsField, WholeField } from '../setting/number-setting'
import type { SecondsKey, WholeKey } from '../setting/setting-rules'
import { Section } from '../setting/setting-section'

const SLOTS: readonly NumberSetting<WholeKey>[] = [
  {
    key: 'installSlots',
    id: 'install-slots',
    label: 'Concurrent downloads',
    hint: 'Servers without a download don’t wait.',
  },
  {
    key: 'spawnSlots',
    id: 'spawn-slots',
    label: 'Concurrent starts',
    hint: 'Servers that are slow to answer don’t count.',
  },
]
const LIMITS: readonly NumberSetting<SecondsKey>[] = [
  {
    key: 'installMs',
    id: 'install-seconds',
    label: 'Download limit (seconds)',
    hint: 'Time to download a package. A timeout keeps what was downloaded.',
  },
  {
    key: 'handshakeMs',
    id: 'handshake-seconds',
    label: 'Handshake limit (seconds)',
    hint: 'Time for a server to answer after the start.',
  },
  {
    key: 'callMs',
    id: 'call-seconds',
    label: 'Call limit (seconds)',
    hint: 'Time a call may take without a response or progress. Apps may give up earlier.',
  },
]
const MORE_LIMITS: readonly NumberSetting<SecondsKey>[] = [
  {
    key: 'discoverMs',
    id: 'discover-seconds',
    label: 'Listing limit (seconds)',
    hint: 'Time to list tools, resources, and prompts.',
  },
  {
    key: 'requestMs',
    id: 'request-seconds',
    label: 'Request limit (seconds)',
    hint: 'Time for short requests, such as completions. Calls have their own limit.',
  },
]
const MESSAGE: NumberSetting<WholeKey> = {
  key: 'maxMessageMb',
  id: 'message-size',
  label: 'Message size limit (MB)',
  hint: 'Larger responses fail. The connection stays open.',
}

/** Limits that are seldom worth a thought. */
function Seldom({ settings }: { readonly settings: Settings }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <DisclosureButton
        label="More limits"
        open={isOpen}
        controls="more-limits"
        onOpenChange={setIsOpen}
      />
      <div id="more-limits" className="col gap-5" hidden={!isOpen}>
        {MORE_LIMITS.map((of) => (
          <SecondsField key={of.key} of={of} settings={settings} />
        ))}
        <WholeField of={MESSAGE} settings={settings} />
      </div>
    </>
  )
}

/** How many servers start at once, and how long each step may take. */
export function StartingSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Starting servers">
      {SLOTS.map((of) => (
        <WholeField key={of.key} of={of} settings={settings} />
      ))}
      {LIMITS.map((of) => (
        <SecondsField key={of.key} of={of} settings={settings} />
      ))}
      <Seldom settings={settings} />
    </Section>
  )
}
