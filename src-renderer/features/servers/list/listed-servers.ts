import { isActive } from '../../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { STATUS_WORD, waitsForUser } from '../../../ui/text/status-messages'

/** Which servers are listed, and how: by words of the name or package, by state, in which order. */
export type ServerFilter = {
  readonly text: string
  readonly state: 'all' | 'running' | 'attention' | 'stopped' | 'disabled'
  readonly order: 'own' | 'name' | 'state'
}

/** All servers in the person's order. */
export const EVERY_SERVER: ServerFilter = { text: '', state: 'all', order: 'own' }

type Listed = Pick<ServerView, 'name' | 'identifier' | 'entryName' | 'status' | 'enabled'>

function hasState(server: Listed, state: ServerFilter['state']): boolean {
  switch (state) {
    case 'all':
      return true
    case 'running':
      return isActive(server.status)
    case 'attention':
      return waitsForUser(server)
    case 'stopped':
      return server.status.kind === 'stopped'
    case 'disabled':
      return !server.enabled
  }
}

const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The servers that fit a filter, in its order; each word has to be somewhere in name, package or state. */
export function listedServers<S extends Listed>(servers: readonly S[], filter: ServerFilter): S[] {
  const words = filter.text.toLocaleLowerCase().split(/\s+/u).filter(Boolean)
  const found = servers.filter((server) => {
    const { name, identifier, entryName, status } = server
    const text = [name, identifier, entryName, STATUS_WORD[status.kind]]
      .join(' ')
      .toLocaleLowerCase()
    return hasState(server, filter.state) && words.every((word) => text.includes(word))
  })
  if (filter.order === 'own') return found
  return found.toSorted((one, other) => {
    const byState = NAMES.compare(STATUS_WORD[one.status.kind], STATUS_WORD[other.status.kind])
    const byName = NAMES.compare(one.name, other.name)
    return filter.order === 'state' && byState !== 0 ? byState : byName
  })
}
