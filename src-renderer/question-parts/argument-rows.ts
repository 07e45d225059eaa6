/** One argument of a call; a text as it is, anything else as JSON. */
export type ArgumentRow = { readonly name: string; readonly text: string }

/** The arguments of a call line by line; undefined for a text that is no JSON object, as one that was cut. */
export function argumentRows(json: string): readonly ArgumentRow[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined // Shown as it is.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const rows = Object.entries(value)
  if (rows.length === 0) return undefined
  // What JSON.parse rounds must be seen as the agent wrote it.
  if (/\d{16}/u.test(json)) return undefined
  return rows.map(([name, one]) => ({
    name,
    text: typeof one === 'string' ? one : JSON.stringify(one, null, 2),
  }))
}
