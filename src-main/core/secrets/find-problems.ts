import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import {
  placeAt,
  type SecretPlaces,
  valueCount,
} from '../../../src-shared/domain/installation/secret-place'
import type { StoredSecret } from '../../../src-shared/domain/installation/stored-secret'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../src-shared/form/form-field'
import { findProblems } from '../../../src-shared/form/form-schema'
import { splitSecretList } from '../../../src-shared/form/secret-list'

/**
 * Returns what prevents saving or starting: invalid values, and fields (required or not) whose shared secret isn't among the `known` ones.
 * With `found`, also fields whose saved secret isn't in it, such as one in another keychain or from a run without one.
 */
export function problemsIn(
  fields: readonly FormField[],
  { values, secrets }: { readonly values: FieldValues; readonly secrets: SecretPlaces },
  known: readonly StoredSecret[],
  found?: ReadonlyMap<string, string>,
): FieldProblem[] {
  const missing = fields.flatMap(({ key: fieldKey, label }): FieldProblem[] => {
    const isFound = found?.has(fieldKey) ?? true
    const place = placeAt(secrets, fieldKey)
    const message = messageOf(place, known, isFound) ?? countFault(place, found?.get(fieldKey))
    return message === undefined ? [] : [{ code: 'missing-required', fieldKey, label, message }]
  })
  return [...findProblems(fields, values, Object.keys(secrets)), ...missing]
}

/** The approval covers the number of arguments, so a secret list must have as many values as when it was approved. */
function countFault(
  place: ReturnType<typeof placeAt>,
  stored: string | undefined,
): string | undefined {
  if (stored === undefined || splitSecretList(stored).length === valueCount(place)) return undefined
  return 'The saved secret has a different number of values. Enter them again.'
}

function messageOf(
  place: ReturnType<typeof placeAt>,
  known: readonly StoredSecret[],
  isFound: boolean,
): string | undefined {
  if (place?.kind === 'stored') {
    const stored = known.find(({ secretId }) => secretId === place.secretId)
    if (stored === undefined)
      return 'The shared secret no longer exists. Choose another one, or enter a value.'
    return isFound
      ? undefined
      : `The shared secret “${stored.name}” has no value. Enter it again in Settings.`
  }
  if (place?.kind === 'environment' && !isFound)
    return `The environment variable ${place.name} is not set where Patchbay was started, and was not found in your login shell. Set it in your shell’s profile and start the server again, or enter a value.`
  return isFound || place === undefined
    ? undefined
    : 'The saved value is no longer in the keychain. Enter it again.'
}
