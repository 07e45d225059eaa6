import { access } from 'node:fs/promises'

import type { HostChange, HostFile, HostsState } from '../../../src-shared/domain/agents/host'
import { isRemotePath } from '../launch/paths/check-path'
import { type HostApp, type HostPlace, nameLimitOf } from './apps/host-app'
import { type ConnectionContext, connectionsOf } from './files/file-connections'
import { type FoundFile, isUtf16 } from './files/found-file'

/** The agent apps of a computer as the screens show them. */
export function hostsState(parts: {
  readonly apps: readonly HostApp[]
  readonly files: readonly FoundFile[]
  /** Ids of apps that left another trace. */
  readonly traced: ReadonlySet<string>
  readonly context: ConnectionContext
  readonly folders: readonly string[]
  readonly changes: readonly HostChange[]
}): HostsState {
  const { apps, files, traced, context, folders, changes } = parts
  return {
    isRead: true,
    hosts: apps.map((app) => {
      const own = files.filter((file) => file.app.hostId === app.hostId)
      const { hostId, name, reload, toolLimit } = app
      return {
        ...{ hostId, name, reload },
        ...(app.toolNames && { nameLimit: nameLimitOf(app) }),
        ...(toolLimit !== undefined && { toolLimit }),
        isHere:
          traced.has(hostId) ||
          own.some(({ scope, onDisk }) => scope === 'user' && onDisk.kind !== 'absent'),
        files: own
          .filter(({ isImportOnly }) => isImportOnly !== true)
          .map((file) => hostFile(file, files, context)),
      }
    }),
    folders: [...folders],
    changes: [...changes],
  }
}

/** Other hosts that read the same file, by name. */
export function sharedWith(file: FoundFile, files: readonly FoundFile[]): string[] {
  const names = files
    .filter(({ app, realPath }) => realPath === file.realPath && app.hostId !== file.app.hostId)
    .map(({ app }) => app.name)
  return [...new Set(names)]
}

/** Which apps are on a computer, by what they leave there. */
export async function tracedApps(
  apps: readonly HostApp[],
  place: HostPlace,
): Promise<ReadonlySet<string>> {
  const traced = await Promise.all(
    apps.map(async (app) => {
      const found = await Promise.all(
        app.traces(place).map((path) => isThere(path, place.platform)),
      )
      return found.includes(true) ? [app.hostId] : []
    }),
  )
  return new Set(traced.flat())
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

/** That an app can't parse its file for the mark at its beginning, and what takes it away. */
function markWarning({ app, document }: Pick<FoundFile, 'app' | 'document'>): string | undefined {
  if (app.refusesMark !== true || document?.text.startsWith('\uFEFF') !== true) return undefined
  return `${app.name} can’t read the file, since it begins with a byte order mark. Save it as UTF-8 without one, or connect: that removes it.`
}

async function isThere(path: string, platform: NodeJS.Platform): Promise<boolean> {
  if (isRemotePath(path, platform)) return false
  return access(path).then(
    () => true,
    () => false,
  )
}
