import type { FieldValue, FieldValues } from '../../../src-shared/domain/field-values'
import type { FormField } from '../../../src-shared/form/form-field'

export type SplitValues = {
  /** For the settings file. */
  readonly plain: FieldValues
  /** For the secret store, by field key. */
  readonly secrets: ReadonlyMap<string, string>
  /** Secret fields that the person emptied. */
  readonly cleared: readonly string[]
}

/** Parts typed values into what may stand in a file and what may not (A2); values of no field are dropped. */
export function splitSecrets(fields: readonly FormField[], values: FieldValues): SplitValues {
  const plain: FieldValues = {}
  const secrets = new Map<string, string>()
  const cleared: string[] = []
  for (const field of fields) {
    const value = values[field.key]
    if (value === undefined) continue
    if (!field.secret) plain[field.key] = value
    else if (value.length === 0) cleared.push(field.key)
    else secrets.set(field.key, secretText(value))
  }
  return { plain, secrets, cleared }
}

/** The keychain holds text: the values of a repeated secret are kept as a JSON list. */
export function secretText(value: FieldValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
