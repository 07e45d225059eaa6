/** A copy of parsed JSON whose objects inherit nothing; as deep as its nesting, which is why it is for small values only. */
export function bareCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareCopy)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.create(null) as Record<string, unknown>
  for (const [key, inner] of Object.entries(value)) copy[key] = bareCopy(inner)
  return copy
}
