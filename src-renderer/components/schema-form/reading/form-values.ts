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
