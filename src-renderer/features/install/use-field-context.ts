import { useMemo } from 'react'

import {
  isChosen,
  placeAt,
  placesOfKind,
} from '../../../src-shared/domain/installation/secret-place'
import type { FormField } from '../../../src-shared/form/form-field'
import { useApp } from '../../stores/app-store'
import type { InstallSubject } from './editing/install-subject'
import type { InstallFormApi } from './editing/use-install-form'
import type { FieldContext } from './fields/field-context'
import { fieldId } from './values/field-places'
import type { FormView } from './values/form-view'
import { reveal } from './values/form-view'

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
