import type {
  HostChange,
  HostConnection,
  HostFile,
  HostsState,
  HostView,
} from '../../../src-shared/domain/agents/host'

/** A line of the list: a file of an app that is here, with one of its connections where it has any. */
export type HostRow = {
  readonly rowId: string
  readonly host: HostView
  readonly file: HostFile
  readonly connection: HostConnection | undefined
  /** The newest change of this file that can be taken back. */
  readonly change: HostChange | undefined
}

/** Apps that are on this computer, line by line, and the names of those that are not. */
export function hostRows({ hosts, changes }: Pick<HostsState, 'hosts' | 'changes'>): {
  readonly rows: readonly HostRow[]
  readonly away: readonly string[]
} {
  const rowsOf = (host: HostView, file: HostFile): HostRow[] => {
    const change = changes.find(({ fileId }) => fileId === file.fileId)
    // It stays the same when the file gets its first connection, or loses it.
    const of = (connection: HostConnection | undefined, index = 0): HostRow => ({
      rowId: `${file.fileId} ${String(index)}`,
      ...{ host, file, connection, change },
    })
    return file.connections.length === 0 ? [of(undefined)] : file.connections.map(of)
  }
  const here = hosts.filter(({ isHere }) => isHere)
  return {
    rows: here.flatMap((host) => host.files.flatMap((file) => rowsOf(host, file))),
    away: hosts.filter(({ isHere }) => !isHere).map(({ name }) => name),
  }
}
