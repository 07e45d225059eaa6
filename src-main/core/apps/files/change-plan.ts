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
  /** Throws an AppError that says why it cannot be made; undefined takes the file away. */
  readonly edit: (document: HostDocument) => HostDocument | undefined
  /** Those of them that are turned off with it, to come back when the written entry is taken out. */
  readonly turnsOff?: readonly string[]
  /** Entries that run what Patchbay provides. */
  readonly doubles?: HostChangePreview['doubles']
  /** What the user should know beside the diff, as sentences. */
  readonly notes?: readonly string[]
  /** What is noted of the entry that Patchbay wrote, before and after. */
  readonly written?: {
    readonly before: WrittenEntry | undefined
    readonly after: WrittenEntry | undefined
  }
}

/** What an edit makes of a file; undefined stands for a file that is not there. */
export type ChangePlan = {
  readonly file: FoundFile
  readonly before: HostDocument | undefined
  readonly after: HostDocument | undefined
  readonly bytes: Buffer | undefined
  /** Of the bytes of the file. */
  readonly hashes: { readonly before: string; readonly after: string }
  /** Hash of what the edited lists hold then. */
  readonly listed: string
  /** Names what the edited lists hold before and after, and the file that a link leads to. */
  readonly seen: string
  /** The same for a file that held nothing when it was shown: its app may have filled it since. */
  readonly seenEmpty: string
}

/** Makes an edit, and writes nothing. Throws the file's own error, HOST_FILE_BROKEN, or what the edit throws. */
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
  const [now, then] = [before, after].map((one) => listedOf(file, one, entryNames))
  const nameOf = (isEmpty: boolean): string =>
    hashOf(JSON.stringify([isEmpty, now, then, file.realPath]))
  const seen = nameOf((before?.text.trim() ?? '') === '')
  const listed = hashOf(then ?? '')
  return { file, before, after, bytes, hashes, listed, seen, seenEmpty: nameOf(true) }
}

/** Throws HOST_FILE_CHANGED where the edited lists are not as they were seen, whatever else the file holds, and HOST_FILE_UNWRITABLE. */
export function checkPlan({ file, hashes, ...plan }: ChangePlan, wanted: string): void {
  if (plan.seen !== wanted && plan.seenEmpty !== wanted) throw changed(file.path)
  const fault = faultOfHostFile(file.path, file.onDisk, hashes.before)
  if (fault) throw fault
}

/** Writes a plan that was checked. Rejects as `writeHostFile`. */
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
