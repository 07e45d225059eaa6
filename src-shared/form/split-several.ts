/** The values of comma-separated text, trimmed and without empty ones; JSON is one value, whatever its commas (A4). */
export function splitSeveral(text: string): string[] {
  const parts = isJson(text) ? [text] : text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** Whether a text is a JSON list or object. */
export function isJson(text: string): boolean {
  if (!/^\s*[[{]/u.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
