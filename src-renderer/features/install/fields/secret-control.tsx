import { KeyRound, Unlink } from 'lucide-react'
import { type ComponentProps, type ReactElement, useState } from 'react'
import { useController } from 'react-hook-form'
import { Link } from 'wouter'

import {
  isChosen,
  type SecretPlace,
  valueCount,
} from '../../../../src-shared/domain/installation/secret-place'
import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import { SecretDialog, SecretWarnings } from '../../../components/secret/secret-dialogs'
import { call } from '../../../ipc/call'
import { useRequest } from '../../../ipc/use-request'
import { useApp } from '../../../stores/app-store'
import { Button, IconButton } from '../../../ui/controls/button'
import { Menu, MenuChoices } from '../../../ui/controls/menu'
import { type ControlIds, Field, TextInput, WarnText } from '../../../ui/fields/field'
import { SecretInput } from '../../../ui/fields/secret-input'
import { FormDialog } from '../../../ui/overlays/dialog'
import { showToast } from '../../../ui/overlays/toast'
import type { InstallFormModel } from '../editing/use-install-form'
import { NO_SECRET } from '../values/custom-server-controls'
import { fieldId, focusControl, reveal } from '../values/form-controls'
import { type BoundField, type FieldParts, textOf, useFormModel } from './field-context'
import { FieldButton, LabelNotes } from './field-footer'

/** A place that the user chose for a secret instead of typing it. */
type ChosenPlace = Extract<SecretPlace, { kind: 'stored' | 'environment' }>

/** The form value of a secret: typed text, or a chosen place. */
export type EditedSecret = {
  /** Suggested name if the secret becomes a shared one. */
  readonly label: string
  /** Undefined while untouched. */
  readonly typed: string | undefined
  readonly chosen: ChosenPlace | null
  readonly onType: (typed: string | undefined) => void
  /** Null returns to a typed value. */
  readonly onChoose: (choice: ChosenPlace | null) => void
}

/** Returns the shared secret of a place; undefined for other places and for a removed secret. */
function useStoredSecret(place: ChosenPlace | null): StoredSecretView | undefined {
  const id = place?.kind === 'stored' ? place.secretId : null
  return useApp((state) => state.app?.secrets.stored.find(({ secretId }) => secretId === id))
}

function useIsGone(place: ChosenPlace | null): boolean {
  return useStoredSecret(place) === undefined && place?.kind === 'stored'
}

/** Replaces the input of a value, and names the place that the value comes from. */
export function PlaceBox(props: {
  readonly ids: ControlIds
  readonly place: ChosenPlace
  /** Whether space is limited, because the box shares its line with others. */
  readonly isCompact?: boolean
  readonly onDrop: () => void
}): ReactElement {
  const { ids, place, isCompact = false, onDrop } = props
  const stored = useStoredSecret(place)
  const isInvalid = useIsGone(place) || ids['aria-invalid'] === true
  const drop = { 'aria-describedby': `${ids.id}-label`, onClick: onDrop }
  return (
    <div
      className={isInvalid ? 'input is-saved is-invalid' : 'input is-saved'}
      id={ids.id}
      role="group"
      aria-labelledby={`${ids.id}-label`}
      aria-describedby={ids['aria-describedby']}
      tabIndex={-1}
    >
      <KeyRound className="icon icon-s text-faint" aria-hidden />
      <span className="truncate flex-1" role="status" title={stored?.name}>
        {stored && <span className={isCompact ? 'sr-only' : undefined}>Shared secret </span>}
        {place.kind === 'environment' ? (
          <>
            <code>${place.name}</code> from your environment, read at every start
          </>
        ) : (
          (stored?.name ?? 'Removed shared secret')
        )}
      </span>
      {isCompact ? (
        <IconButton icon={Unlink} label="Don't use" {...drop} />
      ) : (
        <Button variant="quiet" size="small" {...drop}>
          Don&apos;t use
        </Button>
      )}
    </div>
  )
}

/** An input that is typed once and never shown again, or the chosen place with a button that removes the choice. */
export function SecretControl(
  props: Omit<ComponentProps<typeof SecretInput>, 'value' | 'onValueChange'> & {
    readonly secret: EditedSecret
    /** Whether space is limited, because the control shares its line with others. */
    readonly isCompact?: boolean
  },
): ReactElement {
  const { secret, isCompact = false, ...input } = props
  const { typed, chosen, onType, onChoose } = secret
  if (chosen === null) return <SecretInput {...input} value={typed} onValueChange={onType} />
  return (
    <PlaceBox ids={input.ids} place={chosen} isCompact={isCompact} onDrop={() => onChoose(null)} />
  )
}

/** A warning that a shared secret's value is missing in the current secret store. */
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

/** Notes below the control: warnings, a button to choose a shared secret, and one to share the typed one. */
export function SecretNotes(props: {
  readonly elementId: string
  readonly secret: EditedSecret
}): ReactElement {
  const { elementId, secret } = props
  const { label, typed = '', chosen, onChoose } = secret
  const stored = useStoredSecret(chosen)
  const all = useApp((state) => state.app?.secrets.stored)
  const choices = (all ?? []).map(({ secretId, name }) => ({ value: secretId, label: name }))
  const [isStoring, setIsStoring] = useState(false)
  return (
    <>
      {stored && <EmptyNote {...stored} />}
      <SecretWarnings text={typed} />
      <div className="gapless flex flex-wrap items-baseline gap-3 gap-y-0 text-small wrap-anywhere text-muted">
        {choices.length > 0 && (
          <Menu
            label="Shared secrets"
            align="start"
            trigger={
              <FieldButton elementId={elementId}>
                {chosen === null ? 'Use shared secret' : 'Use another shared secret'}
              </FieldButton>
            }
          >
            <MenuChoices
              value={stored?.secretId ?? ''}
              onChange={(secretId) => onChoose({ kind: 'stored', secretId })}
              choices={choices}
            />
          </Menu>
        )}
        <VariableChooser elementId={elementId} chosen={chosen} onChoose={onChoose} />
        {typed.trim() === '' ? null : (
          <FieldButton elementId={elementId} onClick={() => setIsStoring(true)}>
            Save as shared secret
          </FieldButton>
        )}
        {isStoring && (
          <SecretDialog
            title={`Save ${label} as shared secret`}
            description="Several servers can use a shared secret. Change the value in Settings."
            name={label}
            confirmLabel="Save"
            onConfirm={async ({ name }) => {
              const { secretId } = await call('secret.create', { name, value: typed })
              onChoose({ kind: 'stored', secretId })
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

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A button to choose an environment variable of this computer instead of a typed value. */
export function VariableChooser(props: {
  readonly elementId: string
  readonly chosen: ChosenPlace | null
  /** Whether the button shows only while the field is hovered or focused. */
  readonly isOnDemand?: boolean
  readonly onChoose: (choice: ChosenPlace) => void
}): ReactElement {
  const { elementId, chosen, isOnDemand = false, onChoose } = props
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState('')
  return (
    <>
      <FieldButton elementId={elementId} isOnDemand={isOnDemand} onClick={() => setIsOpen(true)}>
        {chosen?.kind === 'environment' ? 'Use another variable' : 'Use environment variable'}
      </FieldButton>
      {isOpen && (
        <FormDialog
          title="Use environment variable"
          description="Every start reads the value from Patchbay’s environment. Patchbay stores only the name."
          submitLabel="Use"
          onSubmit={() => {
            const typed = name.trim().replace(/^\$/, '')
            if (!NAME.test(typed)) return { name: 'Enter a name such as GITHUB_TOKEN.' }
            onChoose({ kind: 'environment', name: typed })
            setIsOpen(false)
            return {}
          }}
          onClose={() => setIsOpen(false)}
          focusAfterId={elementId}
        >
          {({ id, problems }) => (
            <Field id={`${id}-name`} label="Name" problem={problems.name}>
              {(ids) => <TextInput {...ids} mono value={name} onValueChange={setName} />}
            </Field>
          )}
        </FormDialog>
      )}
    </>
  )
}

/** Moves the text or chosen place of one field to another, and focuses that one. */
function moveTo(
  { form: { getValues, setValue }, view, ownPlace }: InstallFormModel,
  from: string,
  to: string,
): void {
  const typed = getValues(`values.${from}`)
  const place = getValues(`secrets.${from}`)
  const touch = { shouldDirty: true }
  if (place && isChosen(place) && typed === null) {
    setValue(`secrets.${to}`, place, touch)
    setValue(`secrets.${from}`, ownPlace(from), touch)
  }
  if (typeof typed === 'string' && typed !== '') {
    setValue(`values.${to}`, typed, touch)
    setValue(`values.${from}`, ownPlace(from) ? '' : null, touch)
  }
  reveal(view, fieldId(to))
}

/** A warning that others can read a secret argument, with a button that moves it to a variable. */
function ExposureNote({ field }: Pick<BoundField, 'field'>): ReactElement | null {
  const model = useFormModel()
  const { place } = field.target
  if (place !== 'packageArguments' && place !== 'runtimeArguments') return null
  const other = model.fields.find(({ key }) => key === field.alternativeKey)
  return (
    <div className="grid justify-items-start gap-1">
      <WarnText>Other programs can read secrets in arguments from the process list.</WarnText>
      {other === undefined || field.required ? null : (
        <FieldButton
          elementId={fieldId(field.key)}
          onClick={() => moveTo(model, field.key, other.key)}
        >
          Use {other.machineName ?? other.label} instead
        </FieldButton>
      )}
    </div>
  )
}

/** Returns the place chosen for a field's value and a setter. The place is null if the value is typed or has its own secret. */
export function useChosenPlace({ field, value, onChange }: BoundField): {
  readonly chosen: ChosenPlace | null
  readonly choose: (place: ChosenPlace | null) => void
} {
  const { control, form, ownPlace } = useFormModel()
  const { field: place } = useController({ control, name: `secrets.${field.key}` })
  const { value: used } = place
  return {
    chosen:
      value === null && (used?.kind === 'stored' || used?.kind === 'environment') ? used : null,
    choose: (next) => {
      place.onChange(next ?? ownPlace(field.key))
      onChange(null)
      form.clearErrors(`values.${field.key}`)
      // The used control may be gone or replaced.
      focusControl(fieldId(field.key))
    },
  }
}

/** A field whose value is typed once and never shown again, or comes from a shared secret. */
export function SecretField(props: {
  readonly bound: BoundField
  readonly parts: FieldParts
}): ReactElement {
  const { bound, parts } = props
  const { field, value, onChange } = bound
  const { chosen, choose } = useChosenPlace(bound)
  const { ownPlace, savedLabel } = useFormModel()
  const own = ownPlace(field.key)
  const count = own ? valueCount(own) : 0
  const isGone = useIsGone(chosen)
  const secret: EditedSecret = {
    label: field.label,
    typed: textOf(value) ?? undefined,
    chosen,
    onType: (next) => onChange(next ?? null),
    onChoose: choose,
  }
  return (
    <Field
      {...parts}
      {...(isGone && { problem: parts.problem ?? NO_SECRET })}
      isGroup={chosen !== null}
      note={field.repeated ? <LabelNotes {...bound} /> : undefined}
      below={
        <>
          {parts.below}
          <SecretNotes elementId={fieldId(field.key)} secret={secret} />
          <ExposureNote field={field} />
        </>
      }
    >
      {(ids) => (
        <SecretControl
          ids={ids}
          secret={secret}
          onBlur={bound.check}
          savedText={own ? `${savedLabel}${count > 1 ? `, ${count} values` : ''}` : undefined}
          placeholder={field.placeholder}
          required={field.required}
          choices={field.choices}
        />
      )}
    </Field>
  )
}
