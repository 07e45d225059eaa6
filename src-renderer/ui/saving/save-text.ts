/** Returns a file name from a name in safe letters and the time: `notes-2026-11-22T140207.json`. */
export function fileName(name: string, now: number, ending: string): string {
  const safe = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'server'
  return `${safe.slice(0, 60)}-${new Date(now).toISOString().slice(0, 19).replace(/:/g, '')}.${ending}`
}

/** Saves text as a file through the browser's own download. */
export function saveText(name: string, text: string): void {
  const type = name.endsWith('.json') ? 'application/json' : 'text/plain;charset=utf-8'
  saveBlob(name, new Blob([text], { type }))
}

/** Saves bytes as a file through the browser's own download. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
