import clsx from 'clsx'
import { Plug, RefreshCw } from 'lucide-react'
import type { JSX, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'

import { fileProblem, fileWarning, shortPath } from '../../components/app/file-messages'
import { type HostRow, isBrokenConnection } from '../../components/app/host-rows'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useApp, useNow } from '../../stores/app-store'
import { Button, ButtonLink, IconButton } from '../../ui/controls/button'
import { nextRow } from '../../ui/focus/next-row'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { Tag } from '../../ui/marks/tag'
import { Tile } from '../../ui/marks/tile'
import { counted, formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { type AppGroups, appState, type ConnectedApp, ENTRY_LABEL } from './app-groups'
import { EntryMenu } from './connection/connect-dialog'
import { lastSeen } from './messages'

/** Element id of the region that shows the open app. */
export const DETAIL_ID = 'app-detail'

/** Returns the element id of the link that opens an app. */
export function appLinkId(agentId: string): string {
  return `app-${agentId}`
}

/** Reads the files of the apps again. */
export function scanForApps(): void {
  void attempt(call('hosts.look', {}))
}

const COLUMNS = 7
const LEAD = '[data-lead]'

function navigateRows(event: KeyboardEvent<HTMLTableElement>): void {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey, shiftKey } = event
  if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof Element)) return
  const leads = [...currentTarget.querySelectorAll<HTMLElement>(LEAD)]
  const from = leads.findIndex((lead) => lead.closest('tr') === target.closest('tr'))
  const to = from < 0 ? undefined : nextRow(key, from, leads.length, leads.length)
  if (to === undefined) return
  event.preventDefault()
  leads[to]?.focus()
}

/** Moves the focus into the opened app after a click by keyboard, such as Enter. */
function followKeyboard({ detail }: MouseEvent): void {
  if (detail === 0) requestAnimationFrame(() => document.getElementById(DETAIL_ID)?.focus())
}

function Group(props: {
  readonly title: string
  readonly count?: number
  /** The cells after the title. */
  readonly cells?: ReactNode
  readonly children: ReactNode
}): JSX.Element {
  const { title, count, cells = <td colSpan={COLUMNS - 2} />, children } = props
  return (
    <tbody>
      <tr className="group-row">
        <th scope="rowgroup" colSpan={2}>
          {title}
          {count !== undefined && count > 0 && (
            <span className="ms-2 font-normal text-faint tabular-nums">{formatCount(count)}</span>
          )}
        </th>
        {cells}
      </tr>
      {children}
    </tbody>
  )
}

function Name(props: { readonly name: string; readonly children: ReactNode }): JSX.Element {
  const { name, children } = props
  return (
    <th scope="row">
      <span className="flex items-center gap-2">
        <Tile name={name} />
        {children}
      </span>
    </th>
  )
}

function State({ app }: { readonly app: ConnectedApp }): JSX.Element {
  const { label, isWarning } = appState(app)
  const { agentId, name } = app.agent
  if (!isWarning) return <td className="w-full max-w-0 truncate text-muted">{label}</td>
  return (
    <td className="w-full max-w-0">
      <Warning label={label}>
        <Link href={`/apps/${agentId}`} aria-label={`Review ${name}`} onClick={followKeyboard}>
          Review
        </Link>
      </Warning>
    </td>
  )
}

function Warning(props: { readonly label: string; readonly children?: ReactNode }): JSX.Element {
  return (
    <span className="is-degraded flex min-w-0 items-center gap-2">
      <StatusGlyph status="degraded" />
      <span className="truncate font-medium text-status">{props.label}</span>
      {props.children}
    </span>
  )
}

function Connected(props: {
  readonly apps: readonly ConnectedApp[]
  readonly openId: string | undefined
}): JSX.Element {
  const { apps, openId } = props
  const now = useNow(30_000)
  const cells = ['Tools', 'Tokens', 'Calls', 'Errors', 'Last seen'].map((title) => {
    const isAlways = title === 'Tools' || title === 'Last seen'
    return (
      <th
        key={title}
        scope="col"
        className={clsx('text-right text-micro text-faint', !isAlways && 'if-roomy')}
      >
        {title}
      </th>
    )
  })
  return (
    <Group title="Connected" count={apps.length} cells={apps.length > 0 ? cells : undefined}>
      {apps.length === 0 && (
        <tr>
          <td colSpan={COLUMNS} className="whitespace-pre-wrap text-muted">
            Connected apps appear here with their tools, calls, and errors.
          </td>
        </tr>
      )}
      {apps.map((app) => {
        const { agent } = app
        const { agentId, name, exposed, tokens, calls, errors } = agent
        const isOpen = agentId === openId
        return (
          <tr key={agentId} className={clsx(isOpen && 'is-selected')}>
            <Name name={name}>
              <Link
                id={appLinkId(agentId)}
                data-lead
                href={`/apps/${agentId}`}
                className="truncate font-medium text-foreground"
                aria-current={isOpen ? 'true' : undefined}
                onClick={followKeyboard}
              >
                {name}
              </Link>
            </Name>
            <State app={app} />
            <td className="text-right text-muted tabular-nums">{formatCount(exposed)}</td>
            <td className="if-roomy text-right text-muted tabular-nums">
              {tokens === undefined ? '–' : formatCount(tokens)}
            </td>
            <td className="if-roomy text-right text-muted tabular-nums">{formatCount(calls)}</td>
            <td
              className={clsx(
                'if-roomy text-right tabular-nums',
                errors > 0 ? 'is-error font-medium text-status' : 'text-muted',
              )}
            >
              {formatCount(errors)}
            </td>
            <td className="text-right text-faint tabular-nums">{lastSeen(agent, now) ?? '–'}</td>
          </tr>
        )
      })}
    </Group>
  )
}

function FileState({ row: { file, connection } }: { readonly row: HostRow }): JSX.Element {
  const home = useApp(({ app }) => app?.info.homeDir)
  const problem = fileProblem(file)
  const warning = problem ?? fileWarning(file) ?? (connection && ENTRY_LABEL[connection.state])
  const path = shortPath(file.path, home)
  return (
    <td className="w-full max-w-0" title={path}>
      <span className="flex min-w-0 items-center gap-2">
        {file.scope === 'folder' && <Tag>Project</Tag>}
        {warning !== undefined && warning !== '' && <Warning label={visibleText(warning)} />}
        <code className="truncate text-faint">{path}</code>
      </span>
    </td>
  )
}

function AvailableRow(props: {
  readonly row: HostRow
  readonly isFirst: boolean
  readonly onConnect: () => void
}): JSX.Element {
  const { row, isFirst, onConnect } = props
  const { host, file, connection, rowId } = row
  const suffix = file.scope === 'folder' ? `${host.name}, ${file.path}` : host.name
  const servers = file.state.kind === 'read' ? file.state.servers : 0
  const isBlocked = fileProblem(file) !== undefined
  const isBroken = connection !== undefined && isBrokenConnection(connection.state)
  const verb = isBlocked ? 'Refresh' : isBroken ? 'Repair' : 'Connect'
  return (
    <tr id={rowId} tabIndex={-1}>
      <Name name={host.name}>
        <span className="truncate font-medium text-foreground">{host.name}</span>
      </Name>
      <FileState row={row} />
      <td colSpan={COLUMNS - 2}>
        <span className="flex items-center justify-end gap-1">
          {servers > 0 && !connection && (
            <ButtonLink
              size="small"
              variant="quiet"
              href="/import"
              aria-label={`Import ${counted(servers, 'server')} from ${suffix}`}
            >
              {`Import ${counted(servers, 'server')}`}
            </ButtonLink>
          )}
          <Button
            data-lead
            size="small"
            variant={isFirst ? 'primary' : 'default'}
            aria-label={`${verb} ${suffix}`}
            onClick={isBlocked ? scanForApps : onConnect}
          >
            {verb}
          </Button>
          <EntryMenu row={row} />
        </span>
      </td>
    </tr>
  )
}

/** All apps: connected ones, those on this computer, and any other client. */
export function AppTable({
  groups: { connected, available },
  isRead,
  openId,
  onConnect,
  onConnectOther,
  onFolders,
}: {
  readonly groups: AppGroups
  readonly isRead: boolean
  readonly openId: string | undefined
  readonly onConnect: (row: HostRow) => void
  readonly onConnectOther: () => void
  readonly onFolders: () => void
}): JSX.Element {
  const isFirstApp = connected.length === 0
  const first = isFirstApp
    ? available.find(({ file }) => fileProblem(file) === undefined)?.rowId
    : undefined
  return (
    <table className="grid-table apps-table" aria-label="Apps" onKeyDown={navigateRows}>
      <Connected apps={connected} openId={openId} />
      <Group
        title="Available on this computer"
        count={available.length}
        cells={
          <td colSpan={COLUMNS - 2}>
            <span className="flex items-center justify-end gap-1">
              <Button size="small" variant="quiet" onClick={onFolders}>
                Project folders
              </Button>
              <IconButton small icon={RefreshCw} label="Refresh apps" onClick={scanForApps} />
            </span>
          </td>
        }
      >
        {available.length === 0 && (
          <tr>
            <td colSpan={COLUMNS} className="text-muted" role={isRead ? undefined : 'status'}>
              {isRead ? 'Apps found on this computer appear here.' : 'Looking for apps.'}
            </td>
          </tr>
        )}
        {available.map((row) => (
          <AvailableRow
            key={row.rowId}
            row={row}
            isFirst={row.rowId === first}
            onConnect={() => onConnect(row)}
          />
        ))}
      </Group>
      <Group title="Other">
        <tr>
          <th scope="row">
            <span className="flex items-center gap-2">
              <span className="tile grid place-items-center">
                <Plug className="icon icon-s" aria-hidden />
              </span>
              <span className="truncate font-medium text-foreground">Any MCP client</span>
            </span>
          </th>
          <td className="w-full max-w-0 truncate text-muted">
            HTTP or command, as JSON, TOML, YAML, or CLI
          </td>
          <td colSpan={COLUMNS - 2}>
            <span className="flex items-center justify-end">
              <Button
                data-lead
                size="small"
                variant={isFirstApp && first === undefined ? 'primary' : 'default'}
                aria-label="Connect any MCP client"
                onClick={onConnectOther}
              >
                Connect
              </Button>
            </span>
          </td>
        </tr>
      </Group>
    </table>
  )
}
