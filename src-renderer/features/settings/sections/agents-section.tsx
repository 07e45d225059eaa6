import type { ReactElement } from 'react'
import { useEffect } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { WholeField } from '../setting/number-setting'
import { Section } from '../setting/setting-section'

const PORT = {
  key: 'gatewayPort',
  id: 'gateway-port',
  label: 'Port for agents',
  hint: 'Of the endpoint on 127.0.0.1. With another port, agents that are connected are cut, and those that connect over HTTP need the new address.',
} as const
const CALLS = {
  key: 'agentCalls',
  id: 'agent-calls',
  label: 'Calls at the same time, of each agent',
  hint: 'One more is refused until another is over.',
} as const
const RATE = {
  key: 'agentRate',
  id: 'agent-rate',
  label: 'Requests in a minute, of each agent',
  hint: 'What is beyond is refused, and the agent is told when to try again.',
} as const

/** Where agents connect, and how much each may ask for; `isAsked` where another page led to the port. */
export function AgentsSection({
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
    <Section title="Agents">
      <WholeField of={PORT} settings={settings} />
      <WholeField of={CALLS} settings={settings} />
      <WholeField of={RATE} settings={settings} />
    </Section>
  )
}
