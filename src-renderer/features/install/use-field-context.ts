import { useMemo } from 'react'

import type { FormField } from '../../../src-shared/form/form-field'
import { useApp } from '../../stores/app-store'
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
  readonly savedSecrets: readonly string[]
}): FieldContext {
  const { form, view, fields, savedSecrets } = options
  const { clearErrors, control, getValues, setValue, trigger } = form
  const canPickPath = useApp((state) => state.app?.info.canPickPath) ?? false
  const secretsInMemory = useApp((state) => state.app?.secretStore.kind === 'memory')
  return useMemo((): FieldContext => {
    const savedWords = secretsInMemory ? 'Kept in memory for this run' : 'Saved in keychain'
    return {
      control,
      canPickPath,
      secretsInMemory,
      savedWords,
      savedText: (fieldKey) => (savedSecrets.includes(fieldKey) ? savedWords : undefined),
      check: (fieldKey) => {
        const value = getValues(`values.${fieldKey}`)
        if (value !== null && value.length > 0) void trigger(`values.${fieldKey}`)
      },
      forget: (fieldKey) => clearErrors(`values.${fieldKey}`),
      findField: (fieldKey) => fields.find(({ key }) => key === fieldKey),
      moveTo: (from, to) => {
        const typed = getValues(`values.${from}`)
        const shared = getValues(`shared.${from}`) ?? null
        if (shared !== null && typed === null) {
          setValue(`shared.${to}`, shared, { shouldDirty: true })
          setValue(`shared.${from}`, null, { shouldDirty: true })
        }
        if (typeof typed === 'string' && typed !== '') {
          setValue(`values.${to}`, typed, { shouldDirty: true })
          setValue(`values.${from}`, savedSecrets.includes(from) ? '' : null, { shouldDirty: true })
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
    savedSecrets,
    fields,
    view,
  ])
}
