import type { ReactElement } from 'react'
import { useEffect } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { WholeField } from '../setting/number-setting'
import { saveTyped } from '../setting/save-settings'
import { SettingField } from '../setting/setting-field'
import { STANDARD_SETTINGS, typedHosts } from '../setting/setting-rules'
import { Section } from '../setting/setting-section'

const PORT = {
  key: 'gatewayPort',
  id: 'gateway-port',
  label: 'Gateway port',
  hint: 'Changing the port disconnects apps. Apps that use HTTP need the new address.',
} as const
const CALLS = {
  key: 'agentCalls',
  id: 'agent-calls',
  label: 'Concurrent calls per app',
  hint: 'Extra calls wait for up to 10 s.',
} as const
const RATE = {
  key: 'agentRate',
  id: 'agent-rate',
  label: 'Requests per minute per app',
  hint: 'Patchbay asks apps over the limit to retry later.',
} as const

/** The port of the gateway, and the limits of each app; `isAsked` where another page led to the port. */
export function AppsSection({
  settings,
  isAsked,
}: {
  readonly settings: Settings
  readonly isAsked: boolean
}): ReactElement {
  useEffect(() => {
    if (!isAsked) return
    const field = document.getElementById(PORT.id)
    field?.scrollIntoView({ block: 'center' })
    field?.focus()
  }, [isAsked])
  return (
    <Section title="Apps">
      <WholeField of={PORT} settings={settings} />
      <SettingField
        id="gateway-hosts"
        label="Host names"
        hint="Other names that apps may use for this computer, such as from a container. Apps still need their key."
        placeholder="host.docker.internal"
        value={settings.gatewayHosts}
        standard={STANDARD_SETTINGS.gatewayHosts}
        onSave={saveTyped(typedHosts)}
      />
      <WholeField of={CALLS} settings={settings} />
      <WholeField of={RATE} settings={settings} />
    </Section>
  )
}
