import type { FieldValue, FieldValues } from '../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../src-shared/domain/server-json/offer'
import type { KeyValueInput } from '../../src-shared/domain/server-json/server-json'
import {
  declaredIndex,
  isJsonObject,
  type JsonObject,
} from '../../src-shared/domain/server-json/tolerant-reader'
import type { FormField } from '../../src-shared/form/form-field'
import { splitSeveral } from '../../src-shared/form/split-several'

/** The field values of a case, which names them by their place in the document; see `toFieldValues`. */
export type CasePlaces = {
  readonly offer: Offer
  /** Elements of the document that are not in the offer, see `TolerantReader`. */
  readonly leftOut: ReadonlySet<string>
}

/**
 * Values of a case by field key: lists stand beside the declared arguments, maps name variables of the
 * environment, headers and variables of an address. What is null or missing stays untouched.
 */
export function toFieldValues(
  fields: readonly FormField[],
  values: JsonObject,
  places: CasePlaces,
): FieldValues {
  return Object.fromEntries(
    fields.flatMap((field): [string, FieldValue][] => {
      const given = givenFor(field, values, places)
      const { variable, place } = field.target
      const value =
        variable === undefined || place === 'url'
          ? asValue(asList(given, field))
          : pick(given, variable, field)
      return value === undefined ? [] : [[field.key, value]]
    }),
  )
}

/** The place of a field as a case names it: `packageArguments[0]`, `headers.X-Key`, `variables.tenant`. */
export function placeOf({ target }: FormField, places: CasePlaces): string {
  const { place, index, variable } = target
  if (place === 'url') return `variables.${variable ?? ''}`
  const isList = place === 'runtimeArguments' || place === 'packageArguments'
  const at = isList
    ? `${place}[${declaredIndex(places.leftOut, place, index)}]`
    : `${place}.${namedInput(target, places.offer)?.name ?? ''}`
  return variable === undefined ? at : `${at}.variables.${variable}`
}

function givenFor({ target }: FormField, values: JsonObject, places: CasePlaces): unknown {
  const { place, index, variable } = target
  if (place === 'url') return ownOf(values.variables, variable ?? '')
  if (place === 'headers' || place === 'environmentVariables')
    return ownOf(values[place], namedInput(target, places.offer)?.name ?? '')
  const list = values[place]
  return Array.isArray(list)
    ? (list[declaredIndex(places.leftOut, place, index)] as unknown)
    : undefined
}

function namedInput(
  { place, index }: FormField['target'],
  offer: Offer,
): KeyValueInput | undefined {
  if (offer.kind === 'remote') return offer.remote.headers[index]
  const { environmentVariables, transport } = offer.pkg
  return place === 'headers' ? transport.headers?.[index] : environmentVariables[index]
}

function ownOf(map: unknown, name: string): unknown {
  return isJsonObject(map) && Object.hasOwn(map, name) ? map[name] : undefined
}

/** Comma-separated text stands for several values where the input is repeated (A4). */
function asList(given: unknown, { repeated }: FormField): unknown {
  if (!repeated || typeof given !== 'string' || !given.includes(',')) return given
  return splitSeveral(given)
}

function asValue(given: unknown): FieldValue | undefined {
  if (!Array.isArray(given)) return asText(given)
  const texts = given.map(asText)
  return texts.every((text) => text !== undefined) ? asOne(texts) : undefined
}

function asOne(texts: string[]): FieldValue {
  const [first] = texts
  return texts.length === 1 && first !== undefined ? first : texts
}

function asText(given: unknown): string | undefined {
  if (typeof given === 'number' || typeof given === 'boolean') return String(given)
  return typeof given === 'string' ? given : undefined
}

/** A variable of a template: of one row, or of each row of a list; a row that does not name it takes its default. */
function pick(given: unknown, variable: string, field: FormField): FieldValue | undefined {
  if (!Array.isArray(given)) return asText(ownOf(given, variable))
  const picked = given.map((row) => asText(ownOf(row, variable)))
  if (picked.every((text) => text === undefined)) return given.length === 0 ? [] : undefined
  return asOne(picked.map((text) => text ?? field.default ?? ''))
}
