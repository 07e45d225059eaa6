import type { ReactElement } from 'react'
import { useState } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { Switch } from '../../../ui/controls/switch'
import { InlineField } from '../../../ui/fields/field'
import { saveSettings } from './save-settings'
import { ResetButton } from './setting-field'
import { STANDARD_SETTINGS } from './setting-rules'

type SwitchKey = {
  [K in keyof Settings]: Settings[K] extends boolean ? K : never
}[keyof Settings]

/** A setting that is on or off, saved at once. */
export function SwitchField({
  of: { key, id, label, hint },
  settings,
}: {
  readonly of: {
    readonly key: SwitchKey
    readonly id: string
    readonly label: string
    readonly hint: string
  }
  readonly settings: Settings
}): ReactElement {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const save = (on: boolean): void => void saveSettings({ [key]: on }).then(setProblem)
  const standard = STANDARD_SETTINGS[key]
  return (
    <InlineField
      id={id}
      label={label}
      hint={hint}
      problem={problem}
      note={
        settings[key] === standard ? undefined : (
          <ResetButton id={id} standard={standard ? 'on' : 'off'} onReset={() => save(standard)} />
        )
      }
    >
      {(ids) => <Switch {...ids} checked={settings[key]} onCheckedChange={save} />}
    </InlineField>
  )
}
