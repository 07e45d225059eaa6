import { createHash } from 'node:crypto'

import { AppError } from '../../../../src-shared/domain/app-error'
import { type HostDocument, openHostDocument } from '../formats/host-document'
import { broken, contentHashOf, type FoundFile } from './found-file'
import type { HostEdit } from './host-editor'
import { hashOf } from './read-host-file'
import { changed, checkHostFile } from './write-host-file'

/** What an edit makes of a file; undefined stands for a file that is not there. */
export type ChangePlan = {
  readonly file: FoundFile
  readonly before: HostDocument | undefined
  readonly after: HostDocument | undefined
  readonly bytes: Buffer | undefined
  readonly hashes: { readonly before: string; readonly after: string }
  /** Names both hashes, and the file that a link leads to. */
  readonly seen: string
}

/** Makes an edit, and writes nothing. Throws the file's own error, HOST_FILE_BROKEN, or what the edit throws. */
export function planOf(file: FoundFile, { edit }: Pick<HostEdit, 'edit'>): ChangePlan {
  if (file.error) throw file.error
  const { app, list, onDisk } = file
  const before = file.document
  const after = edited(file, before ?? openHostDocument(app.newFile ?? '', list), edit)
  const bytes = after && Buffer.from(after.text)
  const hashes = { before: contentHashOf({ onDisk }), after: hashOf(bytes) }
  const named = JSON.stringify([hashes.before, hashes.after, file.realPath])
  const seen = createHash('sha256').update(named).digest('hex')
  return { file, before, after, bytes, hashes, seen }
}

/** Throws HOST_FILE_CHANGED for another plan than the one that was seen, and HOST_FILE_UNWRITABLE. */
export function checkPlan({ file, hashes, seen }: ChangePlan, wanted: string): void {
  if (seen !== wanted) throw changed(file.path)
  checkHostFile(file.path, file.onDisk, hashes.before)
}

function edited(
  { path }: FoundFile,
  document: HostDocument,
  edit: HostEdit['edit'],
): HostDocument | undefined {
  try {
    return edit(document)
  } catch (error) {
    throw error instanceof AppError && error.code === 'HOST_FILE_BROKEN'
      ? broken(path, error)
      : error
  }
}
