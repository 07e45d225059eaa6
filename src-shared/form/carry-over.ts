import { placeAt, type SecretPlaces, valueCount } from '../domain/installation/secret-place'
import type { DroppedField } from '../domain/installation/update-review'
import type { FieldValue, FieldValues } from '../domain/server-json/field-values'
import type { Offer } from '../domain/server-json/offer'
import type { FieldTarget, FormField } from './form-field'
import { takesList } from './form-schema'
import { isSetEmpty } from './set-empty'
import { fieldsOfOffer } from './to-form-fields'

/** Mapping of one version's values to the fields of another. */
export type CarriedFields = {
  /** Plain values by the keys of the new version. */
  readonly values: FieldValues
  /** Mapping of saved secrets: from the key of the old version to that of the new one. */
  readonly secrets: readonly { readonly from: string; readonly to: string }[]
  /** Labels of fields with a value but without a place in the new version. */
  readonly dropped: readonly DroppedField[]
  /** Keys of fields that the old version lacks. */
  readonly added: readonly string[]
}

/**
 * Maps values from one version of a server to another by name: a named argument by its name, a positional one by its hint. A value that
 * does not fit is reported, never converted.
 */
export function carryOver(
  from: Offer,
  to: Offer,
  held: { readonly values: FieldValues; readonly secrets: SecretPlaces },
): CarriedFields {
  const after = fieldsOfOffer(to)
  const values: [string, FieldValue][] = []
  const secrets: { from: string; to: string }[] = []
  const dropped: DroppedField[] = []
  const met = new Set<string>()
  const before = fieldsOfOffer(from)
  const mapped = new Set(before.map(({ key }) => key))
  const free = after.filter(({ key }) => !mapped.has(key))
  for (const field of before) {
    const target = after.find(({ key }) => key === field.key) ?? namesakeOf(field, free)
    if (target) met.add(target.key)
    const isSaved = Object.hasOwn(held.secrets, field.key)
    const value = Object.hasOwn(held.values, field.key) ? held.values[field.key] : undefined
    if (value === undefined && !isSaved) continue
    const isEmptyText = target !== undefined && isSetEmpty(target, value)
    const isList =
      (Array.isArray(value) && !isEmptyText) || valueCount(placeAt(held.secrets, field.key)) > 1
    const reason = obstacle(field, isList, target)
    if (target === undefined || reason !== undefined)
      dropped.push(droppedField(field, value, reason ?? 'gone'))
    else if (isSaved) secrets.push({ from: field.key, to: target.key })
    else if (value !== undefined) values.push([target.key, value])
  }
  return {
    values: Object.fromEntries(values),
    secrets,
    dropped,
    added: after.flatMap(({ key }) => (met.has(key) ? [] : [key])),
  }
}

/** Publishers move options between runtime and package arguments, where only the name counts. */
function namesakeOf(field: FormField, free: readonly FormField[]): FormField | undefined {
  if (field.machineName === undefined) return undefined
  return free.find(
    (other) => other.machineName !== undefined && identityOf(other) === identityOf(field),
  )
}

const KIND_OF_PLACE: Record<FieldTarget['place'], string> = {
  runtimeArguments: 'argument',
  packageArguments: 'argument',
  environmentVariables: 'variable',
  headers: 'header',
  url: 'address',
}

/** A key consists of a shortened place and the names of the input. */
function identityOf({ key, target }: FormField): string {
  const names = key.slice(key.indexOf('_') + 1)
  return `${KIND_OF_PLACE[target.place]} ${target.place === 'headers' ? names.toLowerCase() : names}`
}

function obstacle(
  field: FormField,
  isList: boolean,
  target: FormField | undefined,
): DroppedField['reason'] | undefined {
  if (target === undefined) return 'gone'
  // A plain value may become a secret, never a secret a plain value.
  if (field.secret && !target.secret) return 'plainNow'
  return isList && !takesList(target) ? 'singleNow' : undefined
}

function droppedField(
  { label, machineName, secret }: FormField,
  value: FieldValue | undefined,
  reason: DroppedField['reason'],
): DroppedField {
  return { label, machineName, reason, value: secret ? undefined : value }
}
