import type { HostChange, HostChangePreview } from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import { type HostDocument, openHostDocument } from '../formats/host-document'
import { broken, type FoundFile, isUtf16 } from './found-file'
import type { WrittenEntry } from './host-ledger'
import { listedOf } from './host-lists'
import { hashOf } from './read-host-file'
import { changed, faultOfHostFile, writeHostFile } from './write-host-file'

/** A change of one file. */
export type HostEdit = {
  readonly kind: HostChange['kind']
  readonly entryNames: readonly string[]
  /** Returns the changed document, or undefined to delete the file. Throws an AppError if the change isn't possible. */
  readonly edit: (document: HostDocument) => HostDocument | undefined
  /** Entries that are turned off with this change and restored when the written entry is removed. */
  readonly turnsOff?: readonly string[]
  /** Entries that run servers which Patchbay exposes. */
  readonly duplicates?: HostChangePreview['duplicates']
  /** Additional information for the user, as sentences. */
  readonly notes?: readonly string[]
  /** The records of Patchbay's entry before and after. */
  readonly written?: {
    readonly before: WrittenEntry | undefined
    readonly after: WrittenEntry | undefined
  }
}

/** The result of an edit; an undefined document means a missing file. */
export type ChangePlan = {
  readonly file: FoundFile
  readonly before: HostDocument | undefined
  readonly after: HostDocument | undefined
  readonly bytes: Buffer | undefined
  /** Hashes of the file's bytes. */
  readonly hashes: { readonly before: string; readonly after: string }
  /** Hash of the edited lists afterwards. */
  readonly listed: string
  /** Identifies the edited lists before and after, and the target of a link. */
  readonly previewHash: string
  /** `previewHash` for a file that was empty in the preview: its app may have filled it since. */
  readonly emptyPreviewHash: string
}

/** Computes an edit without writing. Throws the file's own error, HOST_FILE_BROKEN, or the edit's error. */
export function planOf(
  file: FoundFile,
  { edit, entryNames }: Pick<HostEdit, 'edit' | 'entryNames'>,
): ChangePlan {
  if (file.error) throw file.error
  const { app, list, onDisk } = file
  const before = file.document
  const after = edited(file, before ?? openHostDocument(app.newFile ?? '', list), edit)
  if (onDisk.kind === 'there' && isUtf16(onDisk.bytes))
    throw broken(
      file.path,
      new AppError('HOST_FILE_BROKEN', 'The file is UTF-16, as PowerShell writes it.', {
        hint: 'Save it as UTF-8.',
      }),
    )
  const text = app.refusesMark ? after?.text.replace(/^\uFEFF/u, '') : after?.text
  const bytes = text === undefined ? undefined : Buffer.from(text)
  const hashes = { before: onDisk.hash, after: hashOf(bytes) }
  const [listedBefore, listedAfter] = [before, after].map((one) => listedOf(file, one, entryNames))
  const previewHashOf = (isEmpty: boolean): string =>
    hashOf(JSON.stringify([isEmpty, listedBefore, listedAfter, file.realPath]))
  const previewHash = previewHashOf((before?.text.trim() ?? '') === '')
  const listed = hashOf(listedAfter ?? '')
  return {
    file,
    before,
    after,
    bytes,
    hashes,
    listed,
    previewHash,
    emptyPreviewHash: previewHashOf(true),
  }
}

/** Throws HOST_FILE_CHANGED if the edited lists differ from the preview (other content may differ), and HOST_FILE_UNWRITABLE. */
export function checkPlan({ file, hashes, ...plan }: ChangePlan, wanted: string): void {
  if (plan.previewHash !== wanted && plan.emptyPreviewHash !== wanted) throw changed(file.path)
  const fault = faultOfHostFile(file.path, file.onDisk, hashes.before)
  if (fault) throw fault
}

/** Writes a checked plan. Rejects as `writeHostFile` does. */
export function writePlan(
  { file: { path, realPath }, hashes: { before }, bytes }: ChangePlan,
  platform: NodeJS.Platform,
): Promise<void> {
  return writeHostFile({ path, realPath, before, bytes }, platform)
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
