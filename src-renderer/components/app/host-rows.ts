import type {
  ConnectionState,
  HostChange,
  HostConnection,
  HostFile,
  HostsState,
  HostView,
} from '../../../src-shared/domain/agents/host'
import { visibleText } from '../../ui/text/untrusted-text'

/** A row of the list: a file of an installed app, with one of its connections if it has any. */
export type HostRow = {
  readonly rowId: string
  readonly host: HostView
  readonly file: HostFile
  readonly connection: HostConnection | undefined
  /** The newest change of this file that can be undone. */
  readonly change: HostChange | undefined
}

/** Returns a row for each file of the apps on this computer, and the names of all other apps. */
export function hostRows({ hosts, changes }: Pick<HostsState, 'hosts' | 'changes'>): {
  readonly rows: readonly HostRow[]
  readonly away: readonly string[]
} {
  const rowsOf = (host: HostView, file: HostFile): HostRow[] => {
    const change = changes.find(({ fileId }) => fileId === file.fileId)
    // The id stays the same when the file gets or loses its first connection.
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

type ConnectionEntry = Pick<HostConnection, 'entryName' | 'state'>

/** Whether a connection no longer works as written, so that the user has to decide. */
export function isBrokenConnection(state: ConnectionState): boolean {
  return state === 'edited' || state === 'moved' || state === 'gone' || state === 'agentGone'
}

/** Returns the state of a connection as a sentence; `agentName` is missing if the agent is unknown. */
export function connectionMessage(
  { entryName, state }: ConnectionEntry,
  hostName: string,
  agentName: string | undefined,
): string {
  const entry = `Entry ${visibleText(entryName)}`
  switch (state) {
    case 'asWritten':
      return agentName === undefined ? 'Connected.' : `Connected as ${agentName}.`
    case 'edited':
      return `${entry} was changed outside Patchbay.`
    case 'moved':
      return `${entry} starts Patchbay from an earlier location, which may fail.`
    case 'gone':
      return `${entry} is missing from the file, so ${hostName} can’t reach Patchbay.`
    case 'unknown':
      return 'Patchbay can’t read the file right now.'
    case 'agentGone':
      return `${entry} uses a removed key, so Patchbay rejects ${hostName}.`
    case 'foreign':
      return `${entry} connects to Patchbay, but was added outside Patchbay.`
  }
}

/** A connection that needs the user's decision. */
type HostNeed = { readonly hostName: string; readonly connection: HostConnection }

/** Returns the broken connections of all apps, in the order of the apps. */
export function appAttentionItems(hosts: readonly HostView[]): readonly HostNeed[] {
  return hosts.flatMap(({ name, files }) =>
    files.flatMap(({ connections }) =>
      connections
        .filter(({ state }) => isBrokenConnection(state))
        .map((connection) => ({ hostName: name, connection })),
    ),
  )
}
