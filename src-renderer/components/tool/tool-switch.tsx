import type { JSX } from 'react'

import type { ToolExposure } from '../../../src-shared/domain/agents/tools'
import { Switch } from '../../ui/controls/choice'
import { visibleText } from '../../ui/text/format'

/** Whether the switch of a tool does something: no choice brings back what is held, rejected or quarantined. */
export function isSwitchable(exposure: ToolExposure): boolean {
  return exposure === 'exposed' || exposure === 'off'
}

/** Whether agents are shown a tool. In a list that arrows lead through it is no stop of the Tab key: the row has its key. */
export function ToolSwitch(props: {
  readonly name: string
  readonly isOn: boolean
  readonly inList?: boolean
  readonly onChange: (isOn: boolean) => void
}): JSX.Element {
  const { name, isOn, inList = false, onChange } = props
  return (
    <Switch
      aria-label={`Show ${visibleText(name)} to agents`}
      checked={isOn}
      onCheckedChange={onChange}
      {...(inList && { tabIndex: -1 })}
    />
  )
}
