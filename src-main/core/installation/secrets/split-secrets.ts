import type { SharedSecrets } from '../../../../src-shared/domain/installation/stored-secret'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../../src-shared/form/form-field'
import { ownKeys, type SecretRefs } from '../../secrets/secret-keys'

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
    else {
      cleared.push(field.key)
      // Without it the default would come back; that there is none is no secret.
      if (field.default !== undefined) plain[field.key] = ''
    }
  }
  return { plain, secrets, cleared }
}

/**
 * Where the secrets of an installation are with a draft: typed ones become its own, `chosen` fields use a stored
 * secret, and what is neither typed, chosen nor cleared stays. `chosen` missing: the fields choose as before.
 */
export function placeSecrets(
  fields: readonly FormField[],
  old: SecretRefs,
  { secrets, cleared }: SplitValues,
  chosen: SharedSecrets = old.sharedSecrets,
): SecretRefs {
  const mayShare = fields.filter(
    ({ key, secret }) => secret && !secrets.has(key) && !cleared.includes(key),
  )
  const sharedSecrets = Object.fromEntries(
    mayShare.flatMap(({ key }) => {
      const secretId = Object.hasOwn(chosen, key) ? chosen[key] : undefined
      return secretId === undefined ? [] : [[key, secretId] as const]
    }),
  )
  const stays = ownKeys(old).filter(
    (key) => !cleared.includes(key) && !Object.hasOwn(sharedSecrets, key),
  )
  return { secretKeys: [...new Set([...stays, ...secrets.keys()])], sharedSecrets }
}
