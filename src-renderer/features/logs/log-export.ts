import type { LogEntry } from '../../../src-shared/domain/log-entry'

/** Lines as text, one a line: ISO time, level, source, text. The pieces of a long one are one again. */
export function linesAsText(entries: readonly LogEntry[]): string {
  return entries
    .map((entry, index) => pieceAsText(entry, entries[index - 1], entries[index + 1]))
    .join('')
}

function pieceAsText(
  { seq, at, level, source, text, continues }: LogEntry,
  before: LogEntry | undefined,
  after: LogEntry | undefined,
): string {
  const isRest = before?.continues === true && before.seq === seq - 1 && before.source === source
  const goesOn = continues === true && after?.seq === seq + 1 && after.source === source
  const head = isRest ? '' : `${new Date(at).toISOString()} ${level} ${source} `
  return `${head}${text}${goesOn ? '' : '\n'}`
}

/** A file name for the log of a server: its name in safe letters, and the moment. */
export function logFileName(serverName: string, now: number): string {
  const safe = serverName.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'server'
  return `${safe.slice(0, 60)}-${new Date(now).toISOString().slice(0, 19).replace(/:/g, '')}.log`
}

/** Saves text as a file through the browser's own download. */
export function downloadText(fileName: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
