import { type ReactNode, useMemo } from 'react'
import type { Control } from 'react-hook-form'

import {
  isChosen,
  placeAt,
  placesOfKind,
  type SecretPlace,
} from '../../../../src-shared/domain/installation/secret-place'
import type { FieldValue } from '../../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../../src-shared/form/form-field'
import { defaultEntries } from '../../../../src-shared/form/split-several'
import { useApp } from '../../../stores/app-store'
import type { InstallSubject } from '../editing/install-subject'
import type { InstallFormApi } from '../editing/use-install-form'
import { fieldId, type FormView, reveal } from '../values/field-places'
import type { CheckedDraft, InstallDraft } from '../values/install-values'

/** The form's control object, as React Hook Form hands it down. */
export type InstallControl = Control<InstallDraft, unknown, CheckedDraft>

/** What fields need to know of the app around them; the same object as long as nothing of it changes. */
export type FieldContext = {
  readonly control: InstallControl
  readonly canPickPath: boolean
  /** Secrets are held in memory only and end with this run. */
  readonly secretsInMemory: boolean
  /** Where saved secrets are. */
  readonly savedWords: string
  /** The place of a field's own secret; null for one that has none. */
  readonly ownPlace: (fieldKey: string) => SecretPlace | null
  /** Checks one field after it was left. */
  readonly check: (fieldKey: string) => void
  /** Takes back what was found wrong with one field. */
  readonly forget: (fieldKey: string) => void
  /** Another field of the form; undefined when there is none with this key. */
  readonly findField: (fieldKey: string) => FormField | undefined
  /** Leads to another field, with the text that was typed for this one. */
  readonly moveTo: (from: string, to: string) => void
}

/** A field with its value and how it can be changed; null is untouched. */
export type BoundField = {
  readonly field: FormField
  readonly context: FieldContext
  readonly value: FieldValue | null
  readonly error: unknown
  readonly onChange: (value: FieldValue | null) => void
}

/** What every kind of field shows around its control. */
export type FieldParts = {
  readonly id: string
  readonly label: string
  readonly machineName: string | undefined
  readonly hint: ReactNode
  readonly problem: string | undefined
  readonly below: ReactNode
}

/** The value as one text; of a list, its first entry. */
export function textOf(value: FieldValue | null): string | null {
  return Array.isArray(value) ? (value[0] ?? '') : value
}

/** The entries of a list that starts from what a single field shows. */
export function listOf({ field, value }: Pick<BoundField, 'field' | 'value'>): readonly string[] {
  if (Array.isArray(value)) return value
  if (value === null) return defaultEntries(field)
  // A text that was saved is one value.
  return value === '' ? [] : [value]
}

/** What the fields of one form know of what is around them. */
export function useFieldContext(options: {
  readonly form: InstallFormApi
  readonly view: FormView
  readonly fields: readonly FormField[]
  /** Where the secrets are that are saved. */
  readonly secrets: InstallSubject['secrets']
}): FieldContext {
  const { form, view, fields, secrets } = options
  const { clearErrors, control, getValues, setValue, trigger } = form
  const canPickPath = useApp((state) => state.app?.info.canPickPath) ?? false
  const secretsInMemory = useApp((state) => state.app?.secretStore.kind === 'memory')
  return useMemo((): FieldContext => {
    const own = placesOfKind(secrets, 'own')
    const ownPlace: FieldContext['ownPlace'] = (fieldKey) => placeAt(own, fieldKey) ?? null
    return {
      control,
      canPickPath,
      secretsInMemory,
      savedWords: secretsInMemory ? 'Saved in memory' : 'Saved in keychain',
      ownPlace,
      check: (fieldKey) => {
        const value = getValues(`values.${fieldKey}`)
        if (value !== null && value.length > 0) void trigger(`values.${fieldKey}`)
      },
      forget: (fieldKey) => clearErrors(`values.${fieldKey}`),
      findField: (fieldKey) => fields.find(({ key }) => key === fieldKey),
      moveTo: (from, to) => {
        const typed = getValues(`values.${from}`)
        const place = getValues(`secrets.${from}`)
        if (place && isChosen(place) && typed === null) {
          setValue(`secrets.${to}`, place, { shouldDirty: true })
          setValue(`secrets.${from}`, ownPlace(from), { shouldDirty: true })
        }
        if (typeof typed === 'string' && typed !== '') {
          setValue(`values.${to}`, typed, { shouldDirty: true })
          setValue(`values.${from}`, ownPlace(from) ? '' : null, { shouldDirty: true })
        }
        reveal(view, fieldId(to))
      },
    }
  }, [
    clearErrors,
    control,
    getValues,
    setValue,
    trigger,
    canPickPath,
    secretsInMemory,
    secrets,
    fields,
    view,
  ])
}
