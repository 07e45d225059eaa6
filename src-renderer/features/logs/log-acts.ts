import { MOST_LOG_ROWS } from '../../../src-shared/domain/running/log-limits'
import type { LogQuery } from '../../../src-shared/domain/running/log-query'
import { call, toErrorShape } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { fileName, saveBlob } from '../../ui/saving/save-text'
import { counted } from '../../ui/text/format'
import { exportLines, linesAsText, type LogFormat } from './log-export'

/** Copies the newest lines of a query, 5,000 at most. */
export async function copyLines(query: LogQuery, names: readonly string[]): Promise<void> {
  try {
    const { rows, first, end } = await call('log.rows', {
      query,
      from: -MOST_LOG_ROWS,
      count: MOST_LOG_ROWS,
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

const ENDINGS: Readonly<Record<LogFormat, string>> = { text: 'log', jsonl: 'jsonl' }

/** Saves all lines of a query as a file; does nothing more once it is called off. */
export async function saveLines(
  query: LogQuery,
  format: LogFormat,
  names: readonly string[],
  run: { signal: AbortSignal; onProgress: (done: number, of: number) => void },
): Promise<void> {
  try {
    const parts = await exportLines(query, format, names, run)
    if (run.signal.aborted) return
    const name = names.length === 1 ? (names[0] ?? 'log') : 'logs'
    saveBlob(fileName(name, Date.now(), ENDINGS[format]), new Blob(parts, { type: 'text/plain' }))
  } catch (thrown) {
    tellFailure(thrown)
  }
}

/** Shows the log file of a server among its files; where there is no such program, says where it is. */
export async function showLogFile(installationId: string): Promise<void> {
  try {
    const { path, isShown } = await call('log.showFile', { installationId })
    if (isShown) return
    showToast({
      message: `Log file: ${path}`,
      action: { label: 'Copy path', onAct: () => copyText(path, 'Path copied.') },
    })
  } catch (thrown) {
    tellFailure(thrown)
  }
}
