import type { ComponentProps, ReactElement } from 'react'
import { useState } from 'react'
import { Link } from 'wouter'

import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import { SecretDialog } from '../../../components/secret/secret-dialog'
import { SecretWarnings } from '../../../components/secret/secret-value-field'
import { call } from '../../../ipc/call'
import { useRequest } from '../../../ipc/use-request'
import { useApp } from '../../../stores/app-store'
import { Menu, MenuChoices } from '../../../ui/controls/menu'
import { WarnText } from '../../../ui/fields/problem-text'
import { SecretInput } from '../../../ui/fields/secret-input'
import { showToast } from '../../../ui/overlays/toast'
import { PlaceBox, VariableText } from './place-box'
import { isVariableChoice } from './secret-choice'
import { VariableChooser } from './variable-chooser'

/** A secret of a form: what is typed, or a stored one in its place. */
export type EditedSecret = {
  /** What it is called at first where it becomes a stored one. */
  readonly label: string
  /** Undefined while untouched. */
  readonly typed: string | undefined
  /** The id of the stored secret in use, or `$NAME` of a variable of this computer; null for neither. */
  readonly chosen: string | null
  readonly onType: (typed: string | undefined) => void
  /** Null goes back to a value of its own. */
  readonly onChoose: (choice: string | null) => void
}

/** Undefined where it is not in the list (any more). */
export function useStoredSecret(secretId: string | null): StoredSecretView | undefined {
  return useApp((state) => state.app?.secrets.stored.find((one) => one.secretId === secretId))
}

type InputProps = Omit<ComponentProps<typeof SecretInput>, 'value' | 'onValueChange'>

/** Typed once and never shown again; or the name of a stored secret, and the way back. */
export function SecretControl(
  props: InputProps & {
    readonly secret: EditedSecret
    /** In a line with other things, where the name needs the room. */
    readonly isCompact?: boolean
  },
): ReactElement {
  const { secret, isCompact = false, ...input } = props
  const { typed, chosen, onType, onChoose } = secret
  const { ids } = input
  const stored = useStoredSecret(chosen)
  if (chosen === null) return <SecretInput {...input} value={typed} onValueChange={onType} />
  const isVariable = isVariableChoice(chosen)
  return (
    <PlaceBox
      ids={ids}
      isInvalid={stored === undefined && !isVariable}
      isCompact={isCompact}
      title={stored?.name}
      onDrop={() => onChoose(null)}
    >
      {stored && <span className={isCompact ? 'sr' : undefined}>Shared secret </span>}
      {isVariable ? <VariableText choice={chosen} /> : (stored?.name ?? 'Removed shared secret')}
    </PlaceBox>
  )
}

/** Warns of a stored secret whose value is not where secrets are kept now. */
function EmptyNote({ secretId, changedAt }: StoredSecretView): ReactElement {
  const { loaded } = useRequest('secret.findEmpty', {}, { state: [changedAt] })
  const isEmpty = loaded.kind === 'ready' && loaded.value.includes(secretId)
  return (
    <WarnText>
      {isEmpty ? (
        <>
          This secret has no value on this computer. Enter a value in{' '}
          <Link className="underlined" href="/settings">
            Settings
          </Link>
          .
        </>
      ) : undefined}
    </WarnText>
  )
}

type Placed = {
  /** Element id of the control. */
  readonly elementId: string
  readonly secret: EditedSecret
}

function ChooseMenu({ elementId, secret: { chosen, onChoose } }: Placed): ReactElement | null {
  const stored = useApp((state) => state.app?.secrets.stored)
  const choices = (stored ?? []).map(({ secretId, name }) => ({ value: secretId, label: name }))
  if (choices.length === 0) return null
  return (
    <Menu
      label="Shared secrets"
      align="start"
      trigger={
        <button
          type="button"
          className="text-button accent bare underlined small regular"
          aria-describedby={`${elementId}-label`}
        >
          {chosen === null ? 'Use shared secret' : 'Use another shared secret'}
        </button>
      }
    >
      <MenuChoices value={chosen ?? ''} onChange={onChoose} choices={choices} />
    </Menu>
  )
}

/** Under the control: what is odd about the secret, the way to a stored one, and to make one of what is typed. */
export function SecretNotes({ elementId, secret }: Placed): ReactElement {
  const { label, typed = '', chosen, onChoose } = secret
  const stored = useStoredSecret(chosen)
  const [isStoring, setIsStoring] = useState(false)
  return (
    <>
      {stored && <EmptyNote {...stored} />}
      <SecretWarnings text={typed} />
      <div className="gapless flex wrap at-base gap-3 rows-0 soft small break">
        <ChooseMenu elementId={elementId} secret={secret} />
        <VariableChooser elementId={elementId} chosen={chosen} onChoose={onChoose} />
        {typed.trim() === '' ? null : (
          <button
            type="button"
            className="text-button accent bare underlined small regular"
            aria-describedby={`${elementId}-label`}
            onClick={() => setIsStoring(true)}
          >
            Save as shared secret
          </button>
        )}
        {isStoring && (
          <SecretDialog
            title={`Save ${label} as shared secret`}
            description="Several servers can use a shared secret. Change the value in Settings."
            name={label}
            confirmLabel="Save"
            onConfirm={async ({ name }) => {
              const { secretId } = await call('secret.create', { name, value: typed })
              onChoose(secretId)
              showToast({ message: `${name} saved as shared secret.` })
            }}
            onClose={() => setIsStoring(false)}
            focusAfterId={elementId}
          />
        )}
      </div>
    </>
  )
}
