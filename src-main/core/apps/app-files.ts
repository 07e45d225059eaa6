import { access } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import pLimit from 'p-limit'

import type { HostFile, HostsState } from '../../../src-shared/domain/agents/host'
import { AppError } from '../../../src-shared/domain/app-error'
import { checkPath, isRemotePath } from '../launch/paths/check-path'
import { type HostApp, nameLimitOf, type PathContext } from './apps/host-app'
import { type ConnectionContext, connectionsOf, sharedWith } from './files/file-connections'
import type { FileEditor } from './files/file-editor'
import { type FoundFile, isUtf16 } from './files/found-file'
import { type HostLedger, MAX_FOLDERS } from './files/host-ledger'

/** Dependencies of `AppFiles`: the apps to search, and the listener for changes. */
export type AppFilesOptions = {
  readonly apps: readonly HostApp[]
  readonly place: PathContext
  readonly editor: FileEditor
  readonly ledger: HostLedger
  readonly context: () => ConnectionContext
  readonly onChange: () => void
}

/** The current state of the apps' files. */
export class AppFiles {
  readonly #inTurn = pLimit(1)
  #state: HostsState = { isRead: false, hosts: [], folders: [], changes: [] }

  constructor(private readonly options: AppFilesOptions) {}

  get state(): HostsState {
    return this.#state
  }

  /** Reads everything again. If no app is installed, only a requested refresh emits a change. */
  readonly refresh = (isRequested = true): Promise<void> =>
    this.#inTurn(async () => {
      const { apps, place, editor, ledger, context, onChange } = this.options
      const traces = Promise.all(apps.map((app) => isTraced(app, place)))
      const [files, traced] = await Promise.all([editor.read(), traces])
      const connections = context()
      const state: HostsState = {
        isRead: true,
        hosts: apps.map((app, at) => hostOf(app, files, traced[at] === true, connections)),
        folders: [...ledger.folders],
        changes: [...editor.changes()],
      }
      if (isDeepStrictEqual(state, this.#state)) return
      this.#state = state
      if (isRequested || state.folders.length > 0 || state.hosts.some(({ isHere }) => isHere))
        onChange()
    })

  /** Returns a change that is followed by a refresh, even if it fails. */
  readonly changing =
    <I, O>(change: (input: I) => Promise<O>) =>
    async (input: I): Promise<O> => {
      try {
        return await change(input)
      } finally {
        await this.refresh()
      }
    }

  /** Settles when no refresh is running. */
  readonly idle = (): Promise<void> => this.#inTurn(() => undefined)

  readonly addFolder = this.changing((path: string) => addFolder(this.options.ledger, path))

  readonly removeFolder = (path: string): Promise<void> => {
    const { ledger } = this.options
    ledger.setFolders(ledger.folders.filter((folder) => folder !== path))
    return this.refresh()
  }
}

/** Adds a project folder to search. Rejects with INVALID_VALUES if it isn't a folder, or if there are too many. */
async function addFolder(ledger: HostLedger, wanted: string): Promise<void> {
  const path = wanted.trim()
  if (!isAbsolute(path))
    throw rejected(
      `${path} isn’t an absolute path.`,
      'Enter the full path, starting at the root of the disk.',
    )
  if ((await checkPath(path)) !== 'folder')
    throw rejected(`${path} isn’t a readable folder.`, 'Choose a folder on this computer.')
  const folder = resolve(path)
  if (ledger.folders.includes(folder)) return
  if (ledger.folders.length >= MAX_FOLDERS)
    throw rejected(
      `The limit of ${String(MAX_FOLDERS)} project folders is reached.`,
      'Remove a folder you no longer use.',
    )
  ledger.setFolders([...ledger.folders, folder])
}

function rejected(message: string, hint: string): AppError {
  return new AppError('INVALID_VALUES', message, { hint })
}

/** Builds an app for display. */
function hostOf(
  app: HostApp,
  files: readonly FoundFile[],
  isTraced: boolean,
  context: ConnectionContext,
): HostsState['hosts'][number] {
  const appFiles = files.filter((file) => file.app.hostId === app.hostId)
  const { hostId, name, reload, toolLimit } = app
  return {
    ...{ hostId, name, reload },
    ...(app.toolNames && { nameLimit: nameLimitOf(app) }),
    ...(toolLimit !== undefined && { toolLimit }),
    isHere:
      isTraced ||
      appFiles.some(({ scope, onDisk }) => scope === 'user' && onDisk.kind !== 'absent'),
    files: appFiles
      .filter(({ isImportOnly }) => isImportOnly !== true)
      .map((file) => hostFile(file, files, context)),
  }
}

function hostFile(
  file: FoundFile,
  files: readonly FoundFile[],
  context: ConnectionContext,
): HostFile {
  const { fileId, scope, path } = file
  return {
    ...{ fileId, scope, path },
    state: fileState(file),
    sharedWith: sharedWith(file, files),
    connections: connectionsOf(file, context),
  }
}

function fileState({ app, onDisk, document, problem }: FoundFile): HostFile['state'] {
  if (onDisk.kind === 'absent') return { kind: 'absent' }
  if (onDisk.kind === 'unreadable') return { kind: 'unreadable', problem: onDisk.problem }
  if (!document) return { kind: 'broken', problem: problem ?? '' }
  const isReadOnly = onDisk.closed !== undefined
  const warning = isUtf16(onDisk.bytes)
    ? `The file is UTF-16, as PowerShell writes it, which ${app.name} may not read. Save it as UTF-8.`
    : markWarning({ app, document })
  const read = { kind: 'read', servers: document.entries.length, isReadOnly } as const
  return warning === undefined ? read : { ...read, warning }
}

/** Warns that a byte order mark keeps an app from parsing its file, and names the fix. */
function markWarning({ app, document }: Pick<FoundFile, 'app' | 'document'>): string | undefined {
  if (app.refusesMark !== true || document?.text.startsWith('\uFEFF') !== true) return undefined
  return `${app.name} can’t read the file, since it begins with a byte order mark. Save it as UTF-8 without one, or connect: that removes it.`
}

/** Whether an app has left files on a computer. */
async function isTraced({ traces }: HostApp, context: PathContext): Promise<boolean> {
  const { platform } = context
  const paths = traces(context).filter((path) => !isRemotePath(path, platform))
  const checks = paths.map((path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  )
  return (await Promise.all(checks)).includes(true)
}
