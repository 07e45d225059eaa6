import { readFileSync, renameSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { AppNotice } from '../../../../src-shared/domain/state/app-state'
import type { Clock } from '../../ports'

/** Set when the file had to be moved: where it is now, and why, as a sentence. */
export type RecoveredDocument = { readonly movedTo?: string; readonly reason?: string }

/**
 * Moves a settings file that is no JSON object aside, to `NAME.corrupt-TIME.json` in its folder, so that
 * the store can start afresh; it is never deleted. A missing file is fine. Rejects what cannot be read
 * or moved with an `AppError`.
 */
export function recoverDocument(file: string, clock: Clock = Date): RecoveredDocument {
  const text = readIfThere(file)
  const reason = text === undefined ? undefined : faultOf(text)
  if (reason === undefined) return {}
  const movedTo = join(dirname(file), `${parse(file).name}.corrupt-${fileTime(clock)}.json`)
  try {
    renameSync(file, movedTo)
  } catch (cause) {
    throw unusable(file, 'is damaged and couldn’t be moved', cause)
  }
  return { movedTo, reason }
}

/** What to tell the person about a recovery: nothing when nothing had to be moved. */
export function recoveryNotices({ movedTo, reason }: RecoveredDocument): AppNotice[] {
  if (movedTo === undefined || reason === undefined) return []
  return [
    {
      noticeId: 'settings-recovered',
      severity: 'warn',
      title: 'Patchbay started with empty settings',
      message: `${reason} The file was saved as ${movedTo}. To use it again, quit Patchbay, fix the file, and restore its name.`,
    },
  ]
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw unusable(file, 'couldn’t be read', cause)
  }
}

function faultOf(text: string): string | undefined {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    // The parser's own message quotes the file, which is not for a notice.
    return text.trim() === ''
      ? 'The settings file is empty.'
      : 'The settings file isn’t valid JSON.'
  }
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document)
  return isObject ? undefined : 'The settings file isn’t a JSON object.'
}

/** ISO time in UTC; Windows allows no colon in a file name. */
function fileTime(clock: Clock): string {
  return new Date(clock.now()).toISOString().replaceAll(':', '-')
}

function unusable(file: string, what: string, cause: unknown): AppError {
  const said = cause instanceof Error ? cause.message : String(cause)
  return new AppError('INTERNAL', `The settings file ${file} ${what}: ${said}.`, {
    cause,
    hint: 'Check that you can read and write the file and its folder, then start Patchbay again.',
  })
}
