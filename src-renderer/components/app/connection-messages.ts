import type {
  ConnectionState,
  HostConnection,
  HostView,
} from '../../../src-shared/domain/agents/host'
import { visibleText } from '../../ui/text/format'

type Spoken = Pick<HostConnection, 'entryName' | 'state'>

/** Whether a connection no longer works as written, so that the user has to decide. */
export function isBrokenConnection(state: ConnectionState): boolean {
  return state === 'edited' || state === 'moved' || state === 'gone' || state === 'agentGone'
}

/** The state of a connection as a sentence; `agentName` is missing where the agent is not known here. */
export function connectionSentence(
  { entryName, state }: Spoken,
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

/** A connection that the user has to decide about. */
export type HostNeed = { readonly hostName: string; readonly connection: HostConnection }

/** All of them, in the order of the hosts. */
export function appAttentionItems(hosts: readonly HostView[]): readonly HostNeed[] {
  return hosts.flatMap(({ name, files }) =>
    files.flatMap(({ connections }) =>
      connections
        .filter(({ state }) => isBrokenConnection(state))
        .map((connection) => ({ hostName: name, connection })),
    ),
  )
}
