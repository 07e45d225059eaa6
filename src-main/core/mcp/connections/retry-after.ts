/** The wait that a `Retry-After` header asks for, in ms (RFC 9110, 10.2.3); undefined where it asks for none or cannot be read. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  // `Date.parse` takes almost anything; the header's dates name their day first.
  const at = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}
