import {
  isChosen,
  OWN_PLACE,
  type SecretPlaces,
} from '../../../../src-shared/domain/installation/secret-place'
import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../../src-shared/form/form-field'

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
 * secret or a variable of the environment, and what is neither typed, chosen nor cleared stays. `chosen` missing: the fields choose as before.
 */
export function placeSecrets(
  fields: readonly FormField[],
  old: SecretPlaces,
  { secrets, cleared }: SplitValues,
  chosen: SecretPlaces = old,
): SecretPlaces {
  const takers = new Set(fields.filter(({ secret }) => secret).map(({ key }) => key))
  const stay = Object.entries(old).filter(([, place]) => !isChosen(place))
  const others = Object.entries(chosen).filter(([key, place]) => isChosen(place) && takers.has(key))
  const typed = [...secrets.keys()].map((key) => [key, OWN_PLACE] as const)
  return Object.fromEntries(
    [...stay, ...others, ...typed].filter(([key]) => !cleared.includes(key)),
  )
}
