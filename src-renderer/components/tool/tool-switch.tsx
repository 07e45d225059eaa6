import type { JSX } from 'react'

import { Switch } from '../../ui/controls/switch'
import { visibleText } from '../../ui/text/visible-text'

/** Whether agents are shown a tool. In a list that arrows lead through it is no stop of the Tab key: the row has its key. */
export function ToolSwitch({
  name,
  isOn,
  inList = false,
  onChange,
}: {
  readonly name: string
  readonly isOn: boolean
  readonly inList?: boolean
  readonly onChange: (isOn: boolean) => void
}): JSX.Element {
  return (
    <Switch
      aria-label={`Show ${visibleText(name)} to agents`}
      checked={isOn}
      onCheckedChange={onChange}
      {...(inList && { tabIndex: -1 })}
    />
  )
}
