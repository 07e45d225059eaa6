/** Any JSON object, as `JSON.parse` gives it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for a JSON object, false for a list, null or scalar. */
export function isJsonObject(raw: unknown): raw is JsonObject {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

/** The elements of a list; none of anything else. */
export function asList(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : []
}
