import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { isJsonObject, type JsonObject } from './json-object'

/** More parts than these are not drawn as fields. */
export const MOST_DRAWN_PARTS = 4_000

/** Words whose schemas are of the same value as the schema that they stand in. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not']
const BY_NAME = ['properties', 'dependentSchemas', 'dependencies', 'patternProperties']
const OF_PARTS = ['items', 'prefixItems', 'additionalProperties', 'additionalItems']

type Work = {
  readonly root: unknown
  readonly known: Map<unknown, number>
  /** Those that are being counted, and at how many steps into the value. */
  readonly open: Map<unknown, number>
}

function schemasOf(value: unknown, isByName: boolean): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  if (!isJsonObject(value)) return []
  return isByName ? Object.values(value) : [value]
}

function count(schema: unknown, work: Work, steps: number): number {
  if (!isJsonObject(schema)) return 1
  const known = work.known.get(schema)
  if (known !== undefined) return known
  const since = work.open.get(schema)
  // One that holds itself is drawn again on demand; one that is itself, without a step between, never ends.
  if (since !== undefined) return since === steps ? Infinity : 1
  work.open.set(schema, steps)
  const total = parts(schema, work, steps)
  work.open.delete(schema)
  work.known.set(schema, total)
  return total
}

function parts(schema: JsonObject, work: Work, steps: number): number {
  let total = 1
  const add = (value: unknown, isByName: boolean, step: number): void => {
    for (const one of schemasOf(value, isByName)) {
      if (total > MOST_DRAWN_PARTS) return
      total += count(one, work, steps + step)
    }
  }
  if (schema.$ref !== undefined) add(resolveRef(work.root, schema.$ref), false, 0)
  for (const word of SAME_VALUE) add(schema[word], false, 0)
  for (const word of BY_NAME) add(schema[word], true, 1)
  for (const word of OF_PARTS) add(schema[word], false, 1)
  return total
}

/** Counts how many parts a form of a schema has at worst: what refers to the same part twice draws it twice. */
export function drawingCounter(root: unknown): (schema: unknown) => number {
  const work: Work = { root, known: new Map(), open: new Map() }
  return (schema) => {
    try {
      return count(schema, work, 0)
    } catch (cause) {
      if (cause instanceof RangeError) return Infinity
      throw cause
    }
  }
}
