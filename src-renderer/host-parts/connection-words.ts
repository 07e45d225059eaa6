import type { ConnectionState, HostConnection, HostView } from '../../src-shared/domain/agents/host'
import { visibleText } from '../ui/text/visible-text'

/** What is needed of a connection to speak of it. */
type Spoken = Pick<HostConnection, 'entryName' | 'state'>

/** Whether a connection no longer does what it was made for, so that a person has to decide. */
export function needsMending(state: ConnectionState): boolean {
  return state === 'edited' || state === 'moved' || state === 'gone' || state === 'agentGone'
}

/** How a connection is, as a sentence; `agentName` is missing where the agent is not known here. */
export function connectionSentence(
  { entryName, state }: Spoken,
  hostName: string,
  agentName: string | undefined,
): string {
  const entry = `entry ${visibleText(entryName)}`
  switch (state) {
    case 'asWritten':
      return agentName === undefined ? 'Connected.' : `Connected as ${agentName}.`
    case 'edited':
      return `Its ${entry} was changed outside Patchbay.`
    case 'moved':
      return `Its ${entry} still starts Patchbay in the way it was started before, which may fail now.`
    case 'gone':
      return `Its ${entry} is no longer in the file, so ${hostName} does not reach Patchbay.`
    case 'unknown':
      return `Connected, as far as is known: the file cannot be read now.`
    case 'agentGone':
      return `Its agent was removed here, so ${hostName} is refused.`
    case 'foreign':
      return `Its ${entry} leads to Patchbay, but was not written by this one. Take it out where you do not know it.`
  }
}

/** One connection that a person has to decide about. */
export type HostNeed = { readonly hostName: string; readonly connection: HostConnection }

/** All of them, in the order of the hosts. */
export function hostNeeds(hosts: readonly HostView[]): readonly HostNeed[] {
  return hosts.flatMap(({ name, files }) =>
    files.flatMap(({ connections }) =>
      connections
        .filter(({ state }) => needsMending(state))
        .map((connection) => ({ hostName: name, connection })),
    ),
  )
}
