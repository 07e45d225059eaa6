import type { JSX } from 'react'

import type { ToolExposure } from '../../../src-shared/domain/agents/tools'
import { Switch } from '../../ui/controls/choice'
import { visibleText } from '../../ui/text/untrusted-text'

/** Whether the user can switch a tool: held, rejected and quarantined tools stay off. */
export function isSwitchable(exposure: ToolExposure): boolean {
  return exposure === 'exposed' || exposure === 'off'
}

/** A switch that makes a tool available to agents. In a list with arrow keys it is no tab stop, because the row has its own key. */
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
