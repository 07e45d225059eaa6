import { isJsonObject, put } from './json-object'

/** The values of a form without what was left out: those that have a name but no value. */
export function withoutUnset(values: unknown): unknown {
  if (Array.isArray(values)) return values.map((one) => withoutUnset(one) ?? null)
  if (!isJsonObject(values)) return values
  const made: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(values))
    if (one !== undefined) put(made, name, withoutUnset(one))
  return made
}

/** Arguments as lines of JSON. */
export function writtenJson(values: unknown): string {
  return JSON.stringify(values, null, 2)
}

/** Whether two values are the same as JSON, whatever the order of their members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isJsonObject(value)) return value
  return Object.entries(value)
    .map(([name, one]) => [name, inOrder(one)] as const)
    .toSorted(([name], [other]) => (name < other ? -1 : 1))
}
