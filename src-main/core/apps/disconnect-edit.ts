import { AppError } from '../../../src-shared/domain/app-error'
import type { HostApp } from './apps/host-app'
import { bridgeOf } from './files/bridge-entry'
import { type ConnectionContext, writtenIn } from './files/file-connections'
import type { FoundFile } from './files/found-file'
import type { HostEdit } from './files/host-editor'
import type { WrittenEntry } from './files/host-ledger'
import type { HostDocument } from './formats/host-document'

/** Holds nothing that anybody wrote. */
const EMPTY = /^[\s{}\uFEFF]*$/u

/**
 * Takes an entry out, with what was made for it and is empty then; a noted one that somebody made another server of is
 * forgotten alone. Throws NOT_FOUND for one that was not noted and does not lead to Patchbay.
 */
export function disconnectEdit(
  file: FoundFile,
  entryName: string,
  { ledger }: Pick<ConnectionContext, 'ledger'>,
): HostEdit {
  const before = writtenIn(file, ledger).find((one) => one.entryName === entryName)
  const entry = file.document?.entries.find(({ name }) => name === entryName)
  if (!before && !(entry && bridgeOf(entry.value)))
    throw new AppError('NOT_FOUND', `${file.path} has no entry ${entryName} for Patchbay.`)
  const forgotten = {
    kind: 'disconnect',
    entryNames: [entryName],
    written: { before, after: undefined },
  } as const
  if (entry && !bridgeOf(entry.value))
    return {
      ...forgotten,
      edit: (document) => document,
      notes: [`The entry ${entryName} no longer points to Patchbay, so it stays.`],
    }
  const removesFile =
    file.document &&
    entry &&
    without(file.document, entryName, { written: before, app: file.app }) === undefined
  return {
    ...forgotten,
    edit: (document) => without(document, entryName, { written: before, app: file.app }),
    notes: removesFile ? ['The file has no other entries and is removed.'] : [],
  }
}

function without(
  document: HostDocument,
  entryName: string,
  { written, app }: { readonly written: WrittenEntry | undefined; readonly app: HostApp },
): HostDocument | undefined {
  if (!document.entries.some(({ name }) => name === entryName))
    throw new AppError('NOT_FOUND', `The entry ${entryName} no longer exists.`)
  const { madeLevels = 0, madeFile = false, vacant } = written ?? {}
  const rest = document.without(entryName, { levels: madeLevels, vacant })
  const isAsMade = EMPTY.test(rest.text) || rest.text.trim() === app.newFile?.trim()
  return madeFile && isAsMade ? undefined : rest
}
