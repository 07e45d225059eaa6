import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import { type SecretPlaces, storedAt } from '../../../src-shared/domain/installation/secret-place'
import type { StoredSecret } from '../../../src-shared/domain/installation/stored-secret'
import type { FormField } from '../../../src-shared/form/form-field'

const UNKNOWN = 'Its stored secret is no longer there. Choose another one or type a value.'
const GONE = 'Its saved value is no longer in the keychain. Enter it again.'

/** A problem at each field that uses a stored secret which is not in the list (any more), required or not. */
export function unknownSecrets(
  fields: readonly FormField[],
  places: SecretPlaces,
  known: readonly StoredSecret[],
): FieldProblem[] {
  return problemsAt(fields, ({ key }) => {
    const secretId = storedAt(places, key)
    const isKnown = secretId === undefined || known.some((one) => one.secretId === secretId)
    return isKnown ? undefined : UNKNOWN
  })
}

/**
 * A problem at each field whose secret was saved once and was not `found`, be it in another keychain or in a run
 * without one, or whose stored secret is not in the list.
 */
export function lostSecrets(
  fields: readonly FormField[],
  places: SecretPlaces,
  known: readonly StoredSecret[],
  found: ReadonlyMap<string, string>,
): FieldProblem[] {
  return problemsAt(fields, ({ key }) => {
    const secretId = storedAt(places, key)
    const isLost = Object.hasOwn(places, key) && !found.has(key)
    if (secretId === undefined) return isLost ? GONE : undefined
    const stored = known.find((one) => one.secretId === secretId)
    if (stored === undefined) return UNKNOWN
    return !isLost
      ? undefined
      : `The stored secret “${stored.name}” has no value here any more. Enter it again in Settings.`
  })
}

function problemsAt(
  fields: readonly FormField[],
  messageOf: (field: FormField) => string | undefined,
): FieldProblem[] {
  return fields.flatMap((field): FieldProblem[] => {
    const message = messageOf(field)
    const { key: fieldKey, label } = field
    return message === undefined ? [] : [{ code: 'missing-required', fieldKey, label, message }]
  })
}
