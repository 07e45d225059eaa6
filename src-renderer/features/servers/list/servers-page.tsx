import { type JSX, type KeyboardEvent, memo, useState } from 'react'
import { create } from 'zustand'

import { isActive, isWanted, STATUS_WORD } from '../../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { serverActions, switchServer } from '../../../components/server/actions'
import { AddServer, NoServers } from '../../../components/server/no-servers'
import { RemoveDialog } from '../../../components/server/remove-dialog'
import { ServerMenu } from '../../../components/server/server-menu'
import { enterServers, ServerTable } from '../../../components/server/server-table'
import { waitsForUser } from '../../../components/status/status-messages'
import { useServers } from '../../../stores/app-store'
import { Button, ButtonLink } from '../../../ui/controls/button'
import { Select } from '../../../ui/controls/choice'
import { SearchField } from '../../../ui/controls/search-field'
import { useChosen } from '../../../ui/controls/use-chosen'
import { BlankState, Page } from '../../../ui/layout/page'
import { showToast } from '../../../ui/overlays/toast'
import { counted, formatCount } from '../../../ui/text/format'
import { wordsSearch } from '../../../ui/text/words-search'

type Chosen = Pick<ServerView, 'status' | 'enabled'>

type BulkAction = {
  readonly label: string
  readonly done: string
  readonly applies: (server: Chosen) => boolean
  readonly send: (installationId: string) => Promise<boolean>
  /** Reverses the action; only available for turning on and off. */
  readonly undo?: (installationId: string) => Promise<boolean>
}

const turnOn = (id: string): Promise<boolean> => serverActions.setEnabled(id, true)
const turnOff = (id: string): Promise<boolean> => serverActions.setEnabled(id, false)

/** In the order of their buttons. */
export const BULK_ACTIONS: readonly BulkAction[] = [
  {
    ...{ label: 'Start', done: 'starting', send: serverActions.start },
    applies: ({ status }) => !isActive(status),
  },
  {
    ...{ label: 'Stop', done: 'stopping', send: serverActions.stop },
    applies: ({ status }) => isWanted(status),
  },
  {
    ...{ label: 'Restart', done: 'restarting', send: serverActions.restart },
    applies: ({ status }) => isActive(status) && status.kind !== 'stopping',
  },
  {
    ...{ label: 'Turn on', done: 'turned on', send: turnOn, undo: turnOff },
    applies: ({ enabled }) => !enabled,
  },
  {
    ...{ label: 'Turn off', done: 'turned off', send: turnOff, undo: turnOn },
    applies: ({ enabled }) => enabled,
  },
]

/** Sends the requests one by one, reports the count after each, and returns the ids that succeeded. */
export async function runBulk(
  ids: readonly string[],
  send: BulkAction['send'],
  onProgress: (count: number) => void = () => undefined,
): Promise<readonly string[]> {
  const succeeded: string[] = []
  for (const [index, id] of ids.entries()) {
    if (await send(id)) succeeded.push(id)
    onProgress(index + 1)
  }
  return succeeded
}

function BulkBar(props: {
  readonly chosen: readonly ServerView[]
  readonly onRemove: () => void
  readonly onClear: () => void
}): JSX.Element {
  const { chosen, onRemove, onClear } = props
  const [running, setRunning] = useState<{
    readonly action: BulkAction
    readonly count: number
    readonly all: number
  } | null>(null)
  const run = async (action: BulkAction, ids: readonly string[]): Promise<void> => {
    const reportCount = (count: number): void => setRunning({ action, count, all: ids.length })
    reportCount(0)
    const done = await runBulk(ids, action.send, reportCount)
    setRunning(null)
    const { undo } = action
    // The rows show the result of a start or stop.
    if (undo === undefined || done.length === 0) return
    showToast({
      message: `${counted(done.length, 'server')} ${action.done}.`,
      action: { label: 'Undo', onAct: () => void runBulk(done, undo) },
    })
  }
  return (
    <div
      className="bulk-bar sticky top-0 z-1 mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-subtle px-3 py-2"
      role="group"
      aria-label="Selected servers"
    >
      <span className="font-medium tabular-nums" role="status">
        {running
          ? `${formatCount(running.count)} of ${formatCount(running.all)} ${running.action.done}`
          : `${formatCount(chosen.length)} selected`}
      </span>
      {BULK_ACTIONS.map((action) => {
        const ids = chosen.filter(action.applies).map(({ installationId }) => installationId)
        return (
          <Button
            key={action.label}
            size="small"
            busy={running?.action === action}
            aria-disabled={ids.length === 0 || undefined}
            onClick={() => {
              if (ids.length > 0 && running === null) void run(action, ids)
            }}
          >
            {action.label}
          </Button>
        )
      })}
      <Button
        size="small"
        variant="danger"
        aria-disabled={running !== null || undefined}
        onClick={running === null ? onRemove : undefined}
      >
        Remove…
      </Button>
      <span className="min-w-0 flex-1" />
      <Button size="small" variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  )
}

/** Search text (name or package), status and order of the list. */
type ServerFilter = {
  readonly text: string
  readonly state: 'all' | 'running' | 'attention' | 'stopped' | 'disabled'
  readonly order: 'own' | 'name' | 'state'
}

/** All servers in the user's order. */
export const EVERY_SERVER: ServerFilter = { text: '', state: 'all', order: 'own' }

type Listed = Pick<ServerView, 'name' | 'identifier' | 'entryName' | 'status' | 'enabled'>

const HAS_STATE: Readonly<Record<ServerFilter['state'], (server: Listed) => boolean>> = {
  all: () => true,
  running: ({ status }) => isActive(status),
  attention: waitsForUser,
  stopped: ({ status }) => status.kind === 'stopped',
  disabled: ({ enabled }) => !enabled,
}

const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Returns the servers that match a filter, in its order; each search term must occur in name, package or status. */
export function listedServers<S extends Listed>(servers: readonly S[], filter: ServerFilter): S[] {
  const matches = wordsSearch(filter.text)
  const matching = servers.filter((server) => {
    const { name, identifier, entryName, status } = server
    return (
      HAS_STATE[filter.state](server) &&
      matches(name, identifier, entryName, STATUS_WORD[status.kind])
    )
  })
  if (filter.order === 'own') return matching
  return matching.toSorted((one, other) => {
    const byState = NAMES.compare(STATUS_WORD[one.status.kind], STATUS_WORD[other.status.kind])
    const byName = NAMES.compare(one.name, other.name)
    return filter.order === 'state' && byState !== 0 ? byState : byName
  })
}

/** Filter of the list of servers, kept while the app is open. */
const useServerFilter = create<ServerFilter>(() => EVERY_SERVER)

/** Memoized per server, because rendering a switch and a menu in many rows takes time. */
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
      <td className="narrow-cell text-right">
        <ServerMenu withRun server={server} label={`Actions for ${name}`} />
      </td>
    </>
  )
})

/** Number of servers from which the list has filters. */
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

function Filters({ found: count }: { readonly found: number }): JSX.Element {
  const filter = useServerFilter()
  const change = useServerFilter.setState
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        label="Search servers"
        placeholder="Name, package, or status"
        value={filter.text}
        onChange={(text) => change({ text })}
        onArrowDown={enterServers}
      />
      <Select
        aria-label="Status"
        value={filter.state}
        options={STATES}
        onValueChange={(state) => change({ state })}
      />
      <Select
        aria-label="Sort"
        value={filter.order}
        options={ORDERS}
        onValueChange={(order) => change({ order })}
      />
      <span className="text-faint tabular-nums" role="status">
        {counted(count, 'server')}
      </span>
    </div>
  )
}

function List(props: {
  readonly servers: readonly ServerView[]
  readonly onRemove: (chosen: readonly ServerView[]) => void
}): JSX.Element {
  const { servers, onRemove } = props
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
      {isMany && <Filters found={listed.length} />}
      {picked.length > 0 && (
        <BulkBar chosen={picked} onRemove={() => onRemove(picked)} onClear={chosen.none} />
      )}
      {listed.length === 0 ? (
        <BlankState
          art="open"
          title="No matching servers"
          message="Try a different search or status."
          action={
            <Button onClick={() => useServerFilter.setState(EVERY_SERVER)}>Show all servers</Button>
          }
        />
      ) : (
        <ServerTable
          servers={listed}
          label="Servers"
          endHeads={
            <>
              <th scope="col">On</th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </>
          }
          startHead={
            <th scope="col">
              <span className="sr-only">Select</span>
            </th>
          }
          renderStart={(server) => (
            <td className="narrow-cell">
              <input
                type="checkbox"
                className="check"
                aria-label={`Select ${server.name}`}
                checked={chosen.ids.has(server.installationId)}
                onClick={({ shiftKey }) => chosen.toggle(server.installationId, shiftKey)}
                readOnly
              />
            </td>
          )}
          renderEnd={(server) => <RowEnd server={server} />}
        />
      )}
    </div>
  )
}

/** The list of servers with switches and menus; several can be selected for one action. */
export function ServersPage(): JSX.Element {
  const servers = useServers()
  // The servers selected when the dialog opened, because they disappear from the list one by one.
  const [removing, setRemoving] = useState<readonly ServerView[]>([])
  return (
    <Page
      title="Servers"
      meta={
        servers.length > 0 && (
          <span className="text-faint tabular-nums">{formatCount(servers.length)}</span>
        )
      }
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
