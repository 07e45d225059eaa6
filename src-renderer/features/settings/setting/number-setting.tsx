import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { appStore } from '../../../stores/app-store'
import { saveTyped } from './save-settings'
import { SettingField } from './setting-field'
import type { SecondsKey, WholeKey } from './setting-rules'
import { STANDARD_SETTINGS, typedSeconds, typedWhole } from './setting-rules'

/** A setting that is a number: its label names the unit, `id` is the element's. */
export type NumberSetting<Key> = {
  readonly key: Key
  readonly id: string
  readonly label: string
  readonly hint: string
}

/** A setting that is a whole number. */
export function WholeField({
  of,
  settings,
}: {
  readonly of: NumberSetting<WholeKey>
  readonly settings: Settings
}): ReactElement {
  const { key, id, label, hint } = of
  return (
    <SettingField
      id={id}
      label={label}
      hint={hint}
      numeric
      value={String(settings[key])}
      standard={String(STANDARD_SETTINGS[key])}
      onSave={saveTyped(typedWhole(key))}
    />
  )
}

/** A setting that is typed in seconds and kept in ms. */
export function SecondsField({
  of,
  settings,
}: {
  readonly of: NumberSetting<SecondsKey>
  readonly settings: Settings
}): ReactElement {
  const { key, id, label, hint } = of
  return (
    <SettingField
      id={id}
      label={label}
      hint={hint}
      numeric
      value={String(settings[key] / 1000)}
      standard={String(STANDARD_SETTINGS[key] / 1000)}
      onSave={saveTyped((text) => typedSeconds(key, appStore.getState().app?.settings)(text))}
    />
  )
}
