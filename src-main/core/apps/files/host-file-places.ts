import { posix, win32 } from 'node:path'

import type { HostApp, HostPlace } from '../apps/host-app'
import type { FoundHostFile } from './host-editor'
import type { HostLedger } from './host-ledger'

/** A file that a host reads, wherever it stands. */
export type HostFilePlace = Pick<
  FoundHostFile,
  'fileId' | 'app' | 'list' | 'scope' | 'path' | 'isImportOnly'
>

/** Where files of hosts are, in groups: of each the first that is there counts; else the first whose folder is there; else the first. */
export function hostFilePlaces(
  apps: readonly HostApp[],
  place: HostPlace,
  { folders, written }: Pick<HostLedger, 'folders' | 'written'>,
): HostFilePlace[][] {
  const groups = apps.flatMap((app) => [
    app.files(place).map((path) => userFile(app, path)),
    ...folders.flatMap((folder) => folderFile(app, folder, place)).map((one) => [one]),
    ...alsoRead(app, folders, place).map((one) => [one]),
  ])
  // What was written is looked at, even where its host reads another file by now or the folder was taken off the list.
  const noted = written.flatMap(({ hostId, scope, path }) => {
    const app = apps.find((one) => one.hostId === hostId)
    const list = scope === 'user' ? app?.list : app?.folder?.list
    return app && list ? [[{ fileId: fileIdOf(app, path), app, list, scope, path }]] : []
  })
  return [...groups, ...noted].filter((group) => group.length > 0)
}

function userFile(app: HostApp, path: string): HostFilePlace {
  return { fileId: fileIdOf(app, path), app, list: app.list, scope: 'user', path }
}

function folderFile(app: HostApp, folder: string, { platform }: HostPlace): HostFilePlace[] {
  if (!app.folder) return []
  const { file, list } = app.folder
  const path = below(folder, file, platform)
  return [{ fileId: fileIdOf(app, path), app, list, scope: 'folder', path }]
}

function below(folder: string, file: string, platform: NodeJS.Platform): string {
  return (platform === 'win32' ? win32 : posix).join(folder, ...file.split('/'))
}

/** Files of which an app is the one that turns servers off as those do. */
function alsoRead(app: HostApp, folders: readonly string[], place: HostPlace): HostFilePlace[] {
  if (!app.alsoReads) return []
  const { files, folder, list, off } = app.alsoReads
  const placed = (scope: HostFilePlace['scope'], path: string, file?: string): HostFilePlace => ({
    ...{ fileId: fileIdOf(app, path), list, scope, path, isImportOnly: true },
    app: { ...app, off, ...(file !== undefined && { folder: { file, list } }) },
  })
  return [
    ...files(place).map((path) => placed('user', path)),
    ...folders.flatMap((one) =>
      folder.map((file) => placed('folder', below(one, file, place.platform), file)),
    ),
  ]
}

function fileIdOf({ hostId }: HostApp, path: string): string {
  return `${hostId}:${path}`
}
