import { MAX_LOG_ROWS } from '../../../src-shared/domain/running/log-limits'
import type { LogQuery, LogRow } from '../../../src-shared/domain/running/log-query'
import { call, toErrorShape } from '../../ipc/call'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { counted } from '../../ui/text/format'

const ROWS_AT_ONCE = 2_000

/** Export format: text lines or JSON objects. */
export type LogFormat = 'text' | 'jsonl'

/** Formats lines as text: ISO time, server if there are several, level, source, text. Joins the pieces of a long line. */
export function linesAsText(rows: readonly LogRow[], names?: readonly string[]): string {
  return rows
    .map((row, index) => pieceAsText(row, rows[index - 1], rows[index + 1], names?.[row.server]))
    .join('')
}

/** Formats lines as JSON Lines, one object for each. */
export function linesAsJson(rows: readonly LogRow[], names: readonly string[]): string {
  return rows
    .map(({ entry: { seq, at, level, source, text, continues }, server }) =>
      JSON.stringify({
        time: new Date(at).toISOString(),
        server: names[server],
        ...{ seq, level, source, text },
        ...(continues && { continues }),
      }),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** Exports all lines that match a query at its start, as the parts of a file. Rejects like `call`; stops early if `signal` is aborted. */
export async function exportLines(
  query: LogQuery,
  format: LogFormat,
  names: readonly string[],
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, of: number) => void },
): Promise<string[]> {
  const parts: string[] = []
  const { first, end } = await call('log.rows', { query, from: 0, count: 0 })
  // The last row waits for the next part, which may continue a long line.
  let pending: LogRow[] = []
  let from = first
  while (from < end && !signal.aborted) {
    const { rows } = await call('log.rows', { query, from, count: ROWS_AT_ONCE })
    const last = rows.at(-1)
    if (!last) break
    const all = [...pending, ...rows.filter(({ row }) => row < end)]
    const whole = last.row + 1 < end ? lastWhole(all) : all.length
    parts.push(written(all.slice(0, whole), format, names))
    pending = all.slice(whole)
    from = last.row + 1
    onProgress(Math.min(from, end) - first, end - first)
  }
  parts.push(written(pending, format, names))
  return parts
}

/** Returns the index after the last row that ends its line. */
function lastWhole(rows: readonly LogRow[]): number {
  const index = rows.findLastIndex(({ entry }) => entry.continues !== true)
  return index === -1 ? rows.length : index + 1
}

function written(rows: readonly LogRow[], format: LogFormat, names: readonly string[]): string {
  if (format === 'jsonl') return linesAsJson(rows, names)
  return linesAsText(rows, names.length > 1 ? names : undefined)
}

function isNext(row: LogRow, after: LogRow | undefined): boolean {
  const { entry } = row
  return (
    after?.server === row.server &&
    after.entry.seq === entry.seq + 1 &&
    after.entry.source === entry.source
  )
}

function pieceAsText(
  row: LogRow,
  before: LogRow | undefined,
  after: LogRow | undefined,
  name: string | undefined,
): string {
  const { at, level, source, text, continues } = row.entry
  const isContinuation = before?.entry.continues === true && isNext(before, row)
  const isContinued = continues === true && isNext(row, after)
  const server = name === undefined ? '' : `[${name}] `
  const head: string = isContinuation
    ? ''
    : `${new Date(at).toISOString()} ${server}${level} ${source} `
  return `${head}${text}${isContinued ? '' : '\n'}`
}

/** Copies the newest lines of a query, at most 5,000. */
export async function copyLines(query: LogQuery, names: readonly string[]): Promise<void> {
  try {
    const { rows, first, end } = await call('log.rows', {
      query,
      from: -MAX_LOG_ROWS,
      count: MAX_LOG_ROWS,
    })
    const text = linesAsText(rows, names.length > 1 ? names : undefined)
    const isAll = end - first === rows.length
    const count = counted(rows.length, isAll ? 'line' : 'newest line')
    copyText(text, `${count} copied.`)
  } catch (thrown) {
    showToast({
      message: `Can’t copy the lines. ${toErrorShape(thrown).message} Export them instead.`,
      tone: 'error',
    })
  }
}
