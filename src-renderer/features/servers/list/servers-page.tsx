import { type JSX, type KeyboardEvent, memo, type MouseEvent, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { isActive } from '../../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { AddServer, NoServers } from '../../../components/server/no-servers'
import { RemoveDialog } from '../../../components/server/remove-dialog'
import { switchServer } from '../../../components/server/server-actions'
import { ServerMenu } from '../../../components/server/server-menu'
import { enterServers, ServerTable } from '../../../components/server/server-table'
import { STATUS_WORD, waitsForUser } from '../../../components/status/status-messages'
import { useServers } from '../../../stores/app-store'
import { Button, ButtonLink } from '../../../ui/controls/button'
import { SearchField } from '../../../ui/controls/search-field'
import { Select } from '../../../ui/controls/select'
import { type Chosen, useChosen } from '../../../ui/controls/use-chosen'
import { BlankState } from '../../../ui/layout/blank-state'
import { Page } from '../../../ui/layout/page'
import { counted, formatCount } from '../../../ui/text/format'
import { wordsSearch } from '../../../ui/text/words-search'
import { BulkBar } from './bulk-bar'

/** Which servers are listed, and how: by words of the name or package, by state, in which order. */
type ServerFilter = {
  readonly text: string
  readonly state: 'all' | 'running' | 'attention' | 'stopped' | 'disabled'
  readonly order: 'own' | 'name' | 'state'
}

/** All servers in the user's order. */
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
  const isFound = wordsSearch(filter.text)
  const found = servers.filter((server) => {
    const { name, identifier, entryName, status } = server
    return (
      hasState(server, filter.state) &&
      isFound(name, identifier, entryName, STATUS_WORD[status.kind])
    )
  })
  if (filter.order === 'own') return found
  return found.toSorted((one, other) => {
    const byState = NAMES.compare(STATUS_WORD[one.status.kind], STATUS_WORD[other.status.kind])
    const byName = NAMES.compare(one.name, other.name)
    return filter.order === 'state' && byState !== 0 ? byState : byName
  })
}

const viewStore = createStore<{ readonly filter: ServerFilter }>(() => ({ filter: EVERY_SERVER }))

/** How the list of servers is narrowed and sorted; kept while the app is open. */
function useServerFilter(): ServerFilter {
  return useStore(viewStore, ({ filter }) => filter)
}

function setServerFilter(filter: ServerFilter): void {
  viewStore.setState({ filter })
}

/** Drawn again with its server alone: a switch and a menu for each of many rows take time. */
const RowEnd = memo(function RowEnd({ server }: { readonly server: ServerView }): JSX.Element {
  const { name, enabled } = server
  return (
    <>
      <td className="narrow-cell">
        <input
          type="checkbox"
          role="switch"
          className="switch block"
          aria-label={`${name} enabled`}
          checked={enabled}
          onChange={(event) => void switchServer(server, event.currentTarget.checked)}
        />
      </td>
      <td className="narrow-cell right">
        <ServerMenu withRun server={server} label={`Actions for ${name}`} />
      </td>
    </>
  )
})

/** Fewer are seen at one look. */
const MANY = 6

const STATES = [
  { value: 'all', label: 'All statuses' },
  { value: 'running', label: 'Running' },
  { value: 'attention', label: 'Needs attention' },
  { value: 'stopped', label: 'Stopped' },
  { value: 'disabled', label: 'Turned off' },
] as const satisfies readonly { value: ServerFilter['state']; label: string }[]
const ORDERS = [
  { value: 'own', label: 'Custom order' },
  { value: 'name', label: 'By name' },
  { value: 'state', label: 'By status' },
] as const satisfies readonly { value: ServerFilter['order']; label: string }[]

function Filters({
  filter,
  onChange,
  found,
}: {
  readonly filter: ServerFilter
  readonly onChange: (filter: ServerFilter) => void
  readonly found: number
}): JSX.Element {
  return (
    <div className="server-filters row wrap gap-2 below-3">
      <SearchField
        label="Search servers"
        placeholder="Name, package, or status"
        value={filter.text}
        onChange={(text) => onChange({ ...filter, text })}
        onArrowDown={enterServers}
      />
      <Select
        aria-label="Status"
        value={filter.state}
        options={STATES}
        onValueChange={(value) => {
          const state = STATES.find((one) => one.value === value)?.value
          if (state) onChange({ ...filter, state })
        }}
      />
      <Select
        aria-label="Sort"
        value={filter.order}
        options={ORDERS}
        onValueChange={(value) => {
          const order = ORDERS.find((one) => one.value === value)?.value
          if (order) onChange({ ...filter, order })
        }}
      />
      <span className="faint num" role="status">
        {counted(found, 'server')}
      </span>
    </div>
  )
}

function ChooseBox({
  server: { installationId, name },
  chosen,
}: {
  readonly server: ServerView
  readonly chosen: Chosen
}): JSX.Element {
  const toggle = (event: MouseEvent): void => chosen.toggle(installationId, event.shiftKey)
  return (
    <td className="narrow-cell">
      <input
        type="checkbox"
        className="check"
        aria-label={`Select ${name}`}
        checked={chosen.ids.has(installationId)}
        onClick={toggle}
        readOnly
      />
    </td>
  )
}

function List({
  servers,
  onRemove,
}: {
  readonly servers: readonly ServerView[]
  readonly onRemove: (chosen: readonly ServerView[]) => void
}): JSX.Element {
  const filter = useServerFilter()
  const isMany = servers.length >= MANY
  const listed = listedServers(servers, isMany ? filter : EVERY_SERVER)
  const chosen = useChosen(listed.map(({ installationId }) => installationId))
  const picked = listed.filter(({ installationId }) => chosen.ids.has(installationId))
  const press = (event: KeyboardEvent): void => {
    const isText = event.target instanceof HTMLInputElement && event.target.type === 'text'
    if (isText || event.key.toLowerCase() !== 'a' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    chosen.all()
  }
  return (
    <div onKeyDown={press}>
      {isMany && <Filters filter={filter} onChange={setServerFilter} found={listed.length} />}
      {picked.length > 0 && (
        <BulkBar chosen={picked} onRemove={() => onRemove(picked)} onClear={chosen.none} />
      )}
      {listed.length === 0 ? (
        <BlankState
          art="open"
          title="No matching servers"
          message="Try a different search or status."
          action={<Button onClick={() => setServerFilter(EVERY_SERVER)}>Show all servers</Button>}
        />
      ) : (
        <ServerTable
          servers={listed}
          label="Servers"
          endHeads={
            <>
              <th scope="col">On</th>
              <th scope="col">
                <span className="sr">Actions</span>
              </th>
            </>
          }
          startHead={
            <th scope="col">
              <span className="sr">Select</span>
            </th>
          }
          renderStart={(server) => <ChooseBox server={server} chosen={chosen} />}
          renderEnd={(server) => <RowEnd server={server} />}
        />
      )}
    </div>
  )
}

/** Every server with its switch and its menu; several can be chosen and started or stopped together. */
export function ServersPage(): JSX.Element {
  const servers = useServers()
  // Those that were chosen when it was asked for: they leave the list one by one.
  const [removing, setRemoving] = useState<readonly ServerView[]>([])
  return (
    <Page
      title="Servers"
      meta={servers.length > 0 && <span className="faint num">{formatCount(servers.length)}</span>}
      actions={
        servers.length > 0 && (
          <>
            <ButtonLink href="/logs">Logs</ButtonLink>
            <AddServer />
          </>
        )
      }
    >
      {servers.length === 0 ? (
        <NoServers message="Servers you set up appear here with their status and log." />
      ) : (
        <List servers={servers} onRemove={setRemoving} />
      )}
      {removing.length > 0 && <RemoveDialog servers={removing} onClose={() => setRemoving([])} />}
    </Page>
  )
}
