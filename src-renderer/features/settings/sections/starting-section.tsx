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
    label: 'Downloads at the same time',
    hint: 'Packages that are fetched side by side. A server that needs no download waits for none.',
  },
  {
    key: 'spawnSlots',
    id: 'spawn-slots',
    label: 'Processes started at the same time',
    hint: 'A server that is slow to answer takes no place.',
  },
]
const LIMITS: readonly NumberSetting<SecondsKey>[] = [
  {
    key: 'installMs',
    id: 'install-seconds',
    label: 'Download limit, seconds',
    hint: 'How long fetching a package may take. What has come by then is kept. A server can have its own.',
  },
  {
    key: 'handshakeMs',
    id: 'handshake-seconds',
    label: 'Handshake limit, seconds',
    hint: 'How long a server may take to answer after it was started. A server can have its own.',
  },
  {
    key: 'requestMs',
    id: 'request-seconds',
    label: 'Request limit, seconds',
    hint: 'How long one call may take; a server that tells its progress gets more. A server can have its own.',
  },
]
const MORE_LIMITS: readonly NumberSetting<SecondsKey>[] = [
  {
    key: 'discoverMs',
    id: 'discover-seconds',
    label: 'Discovery limit, seconds',
    hint: 'How long a server may take to list its tools, resources and prompts after the handshake. A server can have its own.',
  },
  {
    key: 'requestTotalMs',
    id: 'request-total-seconds',
    label: 'Longest call, seconds',
    hint: 'However much progress a server tells, one call takes no longer than this, or than its own limit where that is longer.',
  },
]
const MESSAGE: NumberSetting<WholeKey> = {
  key: 'maxMessageMb',
  id: 'message-size',
  label: 'Largest message, MB',
  hint: 'A larger answer fails its request; the connection goes on.',
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
