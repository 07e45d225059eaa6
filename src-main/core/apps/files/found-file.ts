import { posix, win32 } from 'node:path'

import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf } from '../../failure/describe-failure'
import type { HostApp, HostList, PathContext } from '../apps/host-app'
import { type HostDocument, loadSyntax, openHostDocument } from '../formats/host-document'
import type { HostLedger } from './host-ledger'
import {
  type HostFileOnDisk,
  MAX_BYTES,
  MAX_BYTES_WITH_DOCUMENTS,
  readHostFile,
} from './read-host-file'
import { unwritable } from './write-host-file'

/** The location of a file that an app reads. */
export type HostFileLocation = {
  readonly fileId: string
  readonly app: HostApp
  readonly list: HostList
  readonly scope: 'user' | 'folder'
  readonly path: string
  /** Servers are imported from it and turned off in it; Patchbay is never added to it. */
  readonly isImportOnly?: true
}

/** An app's file as last read. */
export type FoundFile = HostFileLocation & {
  readonly onDisk: HostFileOnDisk
  /** Path with links followed. */
  readonly realPath: string
  /** Undefined if the file is missing, invalid or unreadable; `problem` explains the latter two. */
  readonly document: HostDocument | undefined
  readonly problem: string | undefined
  /** Why the file is unreadable; changes are rejected with it. */
  readonly error: AppError | undefined
}

/** Reads and parses files; caches documents weakly, so that an unchanged file isn't parsed again. */
export class FileFinder {
  readonly #cache = new Map<string, { hash: string; document: WeakRef<HostDocument> }>()

  constructor(private readonly platform: NodeJS.Platform) {}

  /** Reads one file. Never rejects. */
  async find(location: HostFileLocation): Promise<FoundFile> {
    const { path } = location
    const onDisk = await this.#onDisk(location)
    const found = { ...location, onDisk, realPath: onDisk.realPath, document: undefined }
    if (onDisk.kind === 'unreadable')
      return { ...found, problem: onDisk.problem, error: unwritable(path, onDisk.problem) }
    if (onDisk.kind === 'absent') return { ...found, problem: undefined, error: undefined }
    try {
      await loadSyntax(location.list.syntax)
      const document = this.#open(location, onDisk)
      return { ...found, document, problem: undefined, error: undefined }
    } catch (error) {
      return { ...found, problem: errorText(error), error: broken(path, error) }
    }
  }

  /** Only the user's file may hold documents. */
  async #onDisk({ app, path, scope }: HostFileLocation): Promise<HostFileOnDisk> {
    const documents = scope === 'user' ? app.documents : undefined
    const maxBytes = documents === undefined ? MAX_BYTES : MAX_BYTES_WITH_DOCUMENTS
    const found = await readHostFile(path, this.platform, maxBytes)
    const isExplained = found.kind === 'unreadable' && found.isTooLarge && documents !== undefined
    return isExplained ? { ...found, problem: `${found.problem} ${documents}` } : found
  }

  #open(
    { fileId, list }: HostFileLocation,
    { bytes, hash }: { readonly bytes: Buffer; readonly hash: string },
  ): HostDocument {
    const cached = this.#cache.get(fileId)
    const same = cached?.hash === hash ? cached.document.deref() : undefined
    if (same) return same
    const document = openBytes(bytes, list)
    this.#cache.set(fileId, { hash, document: new WeakRef(document) })
    return document
  }
}

/** Parses the bytes of a file. Throws HOST_FILE_BROKEN. */
export function openBytes(bytes: Buffer, list: HostList): HostDocument {
  return openHostDocument(textOf(bytes), list)
}

/** Wraps an error of parsing or editing with the file's path. */
export function broken(path: string, cause: unknown): AppError {
  const hint = 'Fix the file in an editor, then select Refresh.'
  return new AppError('HOST_FILE_BROKEN', `${path}: ${errorText(cause)}`, { cause, hint })
}

/** Whether a file is empty or invalid: its app may be writing it now. */
export function isUnsettled({ onDisk, document }: FoundFile): boolean {
  return onDisk.kind === 'there' && (document?.text.trim() ?? '') === ''
}

/** Whether bytes start with a UTF-16 byte order mark. */
export function isUtf16(bytes: Buffer): boolean {
  return utf16Of(bytes) !== undefined
}

function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function textOf(bytes: Buffer): string {
  const utf16 = utf16Of(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('HOST_FILE_BROKEN', 'The file isn’t UTF-8 text.', { cause })
  }
}

/** Returns an error's text for the user, in one line. */
export function errorText(error: unknown): string {
  if (!(error instanceof AppError)) return messageOf(error)
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`
}

/**
 * Returns the locations of app files in groups: in each, the first existing one counts, otherwise the first with an existing folder,
 * otherwise the first.
 */
export function hostFileLocations(
  apps: readonly HostApp[],
  context: PathContext,
  { folders, written }: Pick<HostLedger, 'folders' | 'written'>,
): HostFileLocation[][] {
  const groups = apps.flatMap((app) => [
    app.files(context).map((path): HostFileLocation => ({
      ...{ fileId: fileIdOf(app, path), app, list: app.list, scope: 'user', path },
    })),
    ...folders.flatMap((folder) => folderFile(app, folder, context)).map((one) => [one]),
    ...alsoRead(app, folders, context).map((one) => [one]),
  ])
  // Recorded entries are checked even if their app now reads another file, or the folder was removed.
  const recorded = written.flatMap(({ hostId, scope, path }) => {
    const app = apps.find((one) => one.hostId === hostId)
    const list = scope === 'user' ? app?.list : app?.folder?.list
    return app && list ? [[{ fileId: fileIdOf(app, path), app, list, scope, path }]] : []
  })
  return [...groups, ...recorded].filter((group) => group.length > 0)
}

function folderFile(app: HostApp, folder: string, { platform }: PathContext): HostFileLocation[] {
  if (!app.folder) return []
  const { file, list } = app.folder
  const path = below(folder, file, platform)
  return [{ fileId: fileIdOf(app, path), app, list, scope: 'folder', path }]
}

function below(folder: string, file: string, platform: NodeJS.Platform): string {
  return (platform === 'win32' ? win32 : posix).join(folder, ...file.split('/'))
}

/** Returns the app's additional files, with their own way of turning servers off. */
function alsoRead(
  app: HostApp,
  folders: readonly string[],
  context: PathContext,
): HostFileLocation[] {
  if (!app.alsoReads) return []
  const { files, folder, list, off } = app.alsoReads
  const toLocation = (
    scope: HostFileLocation['scope'],
    path: string,
    file?: string,
  ): HostFileLocation => ({
    ...{ fileId: fileIdOf(app, path), list, scope, path, isImportOnly: true },
    app: { ...app, off, ...(file !== undefined && { folder: { file, list } }) },
  })
  return [
    ...files(context).map((path) => toLocation('user', path)),
    ...folders.flatMap((one) =>
      folder.map((file) => toLocation('folder', below(one, file, context.platform), file)),
    ),
  ]
}

function fileIdOf({ hostId }: HostApp, path: string): string {
  return `${hostId}:${path}`
}
