import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { isJsonObject, type JsonObject, own, put, textsOf } from './json-object'

/** Deepest place that is filled in before a user does. */
const DEEPEST = 4
/** Most places that are looked at: what holds itself many times is left to the user. */
const MOST_PLACES = 1_000

type Start = {
  readonly root: JsonObject
  readonly isFit: (schema: JsonObject, value: unknown) => boolean
  places: number
}

/** The schema that a field refers to, with the field's own default. */
function meant(schema: unknown, root: JsonObject): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined
  const { $ref: named, 'x-deeper': deeper, ...rest } = schema
  const $ref = typeof deeper === 'string' ? `#/$defs/${deeper}` : named
  if ($ref === undefined) return schema
  const target = resolveRef(root, $ref)
  return isJsonObject(target) ? { ...target, ...rest } : undefined
}

function membersOf(schema: JsonObject, start: Start, depth: number): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const part of [
    schema,
    ...(Array.isArray(schema.allOf) ? (schema.allOf as unknown[]) : []),
  ]) {
    const whole = meant(part, start.root)
    if (whole === undefined) continue
    const required = textsOf(whole.required)
    for (const [name, one] of Object.entries(
      isJsonObject(whole.properties) ? whole.properties : {},
    )) {
      const value = startOf(one, start, { isRequired: required.includes(name), depth: depth + 1 })
      if (value !== undefined && own(made, name) === undefined) put(made, name, value)
    }
  }
  return made
}

type At = { readonly isRequired: boolean; readonly depth: number }

/** What must be there: what has no alternative, and what can be empty. */
function neededStart(schema: JsonObject, start: Start, depth: number): unknown {
  const { enum: values, type } = schema
  if (Array.isArray(values) && values.length === 1) return structuredClone(values[0] as unknown)
  if (type === 'object') return membersOf(schema, start, depth)
  return type === 'array' && start.isFit(schema, []) ? [] : undefined
}

function startOf(field: unknown, start: Start, { isRequired, depth }: At): unknown {
  start.places += 1
  if (depth > DEEPEST || start.places > MOST_PLACES) return undefined
  // What holds itself is filled in a step at a time.
  if (depth > 1 && isJsonObject(field) && field['x-deeper'] !== undefined) return undefined
  const schema = meant(field, start.root)
  if (schema === undefined) return undefined
  const { default: standard } = schema
  if (standard !== undefined && start.isFit(schema, standard)) return structuredClone(standard)
  return isRequired ? neededStart(schema, start, depth) : undefined
}

/**
 * What a form begins with: defaults that fit, values without an alternative, and what must be there for those. What may
 * be left out and has no default is left out. `root` is the schema of a form (`formModel`).
 */
export function startValues(root: JsonObject, isFit: Start['isFit']): Record<string, unknown> {
  return membersOf(root, { root, isFit, places: 0 }, 0)
}
