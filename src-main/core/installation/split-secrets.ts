import type { FieldValues } from '../../../src-shared/domain/field-values'
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
    // One keychain entry holds one value, so a secret field never takes a list.
    else if (typeof value === 'string' && value !== '') secrets.set(field.key, value)
    else cleared.push(field.key)
  }
  return { plain, secrets, cleared }
}
