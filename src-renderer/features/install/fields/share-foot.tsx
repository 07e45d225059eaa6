import type { ReactElement } from 'react'
import { useState } from 'react'

import { call } from '../../../ipc/call'
import { SecretDialog } from '../../../secret-parts/secret-dialog'
import { useApp } from '../../../stores/app-store'
import { Menu, MenuChoices } from '../../../ui/controls/menu'
import { showToast } from '../../../ui/overlays/toast'

function ChooseMenu(props: {
  readonly elementId: string
  readonly chosen: string | null
  readonly onChoose: (secretId: string) => void
}): ReactElement | null {
  const { elementId, chosen, onChoose } = props
  const stored = useApp((state) => state.app?.secrets.stored)
  const choices = (stored ?? []).map(({ secretId, name }) => ({ value: secretId, label: name }))
  if (choices.length === 0) return null
  return (
    <Menu
      label="Stored secrets"
      align="start"
      trigger={
        <button
          type="button"
          className="text-button underlined small regular"
          aria-describedby={`${elementId}-label`}
        >
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
  /** Element id of the control. */
  readonly elementId: string
  /** What a secret that is stored here is called at first. */
  readonly label: string
  /** The value that is typed here now; empty for none. */
  readonly typed: string
  readonly chosen: string | null
  readonly onChoose: (secretId: string) => void
}): ReactElement {
  const { elementId, label, typed, chosen, onChoose } = props
  const [isStoring, setIsStoring] = useState(false)
  async function store(name: string): Promise<void> {
    const { secretId } = await call('secret.create', { name, value: typed })
    onChoose(secretId)
    showToast({ message: `${name} is stored for other servers too.` })
  }
  return (
    <div className="field-foot flex wrap at-base gap-3 soft small break">
      <ChooseMenu elementId={elementId} chosen={chosen} onChoose={onChoose} />
      {typed.trim() === '' ? null : (
        <button
          type="button"
          className="text-button underlined small regular"
          aria-describedby={`${elementId}-label`}
          onClick={() => setIsStoring(true)}
        >
          Store it for other servers too
        </button>
      )}
      {isStoring && (
        <SecretDialog
          title={`Store ${label} for other servers too`}
          description="What is typed here becomes a stored secret, and this field uses it. Its value can be changed in Settings, for all servers at once."
          name={label}
          withValue={false}
          confirmLabel="Store"
          onConfirm={({ name }) => store(name)}
          onClose={() => setIsStoring(false)}
          focusAfterId={elementId}
        />
      )}
    </div>
  )
}
