import type { ReactElement } from 'react'
import { useState } from 'react'

import type { FormField } from '../../../src-shared/form/form-field'
import { call } from '../../ipc/call'
import { SecretDialog } from '../../secret-parts/secret-dialog'
import { useApp } from '../../stores/app-store'
import { Menu, MenuChoices } from '../../ui/menu'
import { showToast } from '../../ui/toast'
import { FieldButton } from './field-foot'
import { fieldId } from './field-places'

function ChooseMenu(props: {
  readonly field: FormField
  readonly chosen: string | null
  readonly onChoose: (secretId: string) => void
}): ReactElement | null {
  const { field, chosen, onChoose } = props
  const stored = useApp((state) => state.app?.secrets.stored)
  const choices = (stored ?? []).map(({ secretId, name }) => ({ value: secretId, label: name }))
  if (choices.length === 0) return null
  return (
    <Menu
      label="Stored secrets"
      align="start"
      trigger={
        <button type="button" className="reset" aria-describedby={`${fieldId(field.key)}-label`}>
          {chosen === null ? 'Use a stored secret' : 'Use another stored secret'}
        </button>
      }
    >
      <MenuChoices value={chosen ?? ''} onChange={onChoose} choices={choices} />
    </Menu>
  )
}

/** Under a secret field: the way to a stored secret, and to make one of what is typed. */
export function ShareFoot(props: {
  readonly field: FormField
  /** The value that is typed here now; empty for none. */
  readonly typed: string
  readonly chosen: string | null
  readonly onChoose: (secretId: string) => void
}): ReactElement {
  const { field, typed, chosen, onChoose } = props
  const [isStoring, setIsStoring] = useState(false)
  async function store(name: string): Promise<void> {
    const { secretId } = await call('secret.create', { name, value: typed })
    onChoose(secretId)
    showToast({ message: `${name} is stored for other servers too.` })
  }
  return (
    <div className="field-foot">
      <ChooseMenu field={field} chosen={chosen} onChoose={onChoose} />
      {typed.trim() === '' ? null : (
        <FieldButton fieldKey={field.key} onPress={() => setIsStoring(true)}>
          Store it for other servers too
        </FieldButton>
      )}
      {isStoring && (
        <SecretDialog
          title={`Store ${field.label} for other servers too`}
          description="What is typed here becomes a stored secret, and this field uses it. Its value can be changed in Settings, for all servers at once."
          name={field.label}
          withValue={false}
          confirmLabel="Store"
          onConfirm={({ name }) => store(name)}
          onClose={() => setIsStoring(false)}
          focusAfterId={fieldId(field.key)}
        />
      )}
    </div>
  )
}
