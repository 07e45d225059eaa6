import { Copy, Ellipsis, Pin, Undo2, Unplug } from 'lucide-react'
import type { JSX } from 'react'
import { Link } from 'wouter'

import type { ConnectionState } from '../../../../src-shared/domain/agents/host'
import { ask } from '../../../host-parts/ask'
import { connectionSentence, needsMending } from '../../../host-parts/connection-words'
import { fileProblem, fileSentence, namesInWords } from '../../../host-parts/file-words'
import type { HostRow } from '../../../host-parts/host-rows'
import { useAgent } from '../../../host-parts/use-agents'
import { Button } from '../../../ui/controls/button'
import { IconButton } from '../../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../../ui/controls/menu'
import { StatusGlyph, type StatusKind } from '../../../ui/marks/status-glyph'
import { Tag } from '../../../ui/marks/tag'
import { showToast } from '../../../ui/overlays/toast'
import { copyText } from '../../../ui/saving/copy-text'
import { visibleText } from '../../../ui/text/visible-text'

/** What a row can lead to. */
export type RowDialog = 'connect' | 'disconnect'

/** Element id of a row. */
export function rowElementId({ rowId }: Pick<HostRow, 'rowId'>): string {
  return `host-${rowId}`
}

function glyphOf({ connection, file }: HostRow): { status: StatusKind; label: string } {
  if (connection?.state === 'asWritten') return { status: 'ready', label: 'Connected' }
  if (connection) return { status: 'degraded', label: 'Needs attention' }
  if (fileProblem(file) === undefined) return { status: 'stopped', label: 'Not connected' }
  return { status: 'error', label: 'Cannot be written' }
}

function Sentence({ row: { host, file, connection } }: { readonly row: HostRow }): JSX.Element {
  const agent = useAgent(connection?.agentId ?? '')
  const problem = fileProblem(file)
  if (!connection) return <p>{problem === undefined ? fileSentence(file) : visibleText(problem)}</p>
  if (connection.state === 'asWritten' && agent)
    return (
      <p>
        Connected as <Link href={`/agents/${agent.agentId}`}>{agent.name}</Link>.
      </p>
    )
  return (
    <p>
      {connectionSentence(connection, host.name, agent?.name)}
      {problem !== undefined && ` ${visibleText(problem)}`}
    </p>
  )
}

/** Whether an entry can count as wanted as it is: a foreign one only where its agent is one of this Patchbay. */
function isKept(state: ConnectionState, isAgentKnown: boolean): boolean {
  if (state === 'foreign') return isAgentKnown
  return needsMending(state) && state !== 'agentGone'
}

async function keep({ host, file, connection }: HostRow): Promise<void> {
  if (!connection) return
  const { entryName, state } = connection
  const done = await ask('hosts.accept', { fileId: file.fileId, entryName })
  if (!done) return
  const what = state === 'gone' ? 'is left without its entry' : 'keeps its entry as it is'
  showToast({ message: `${host.name} ${what}.` })
}

async function undo({ change }: HostRow): Promise<void> {
  if (!change) return
  const done = await ask('hosts.undo', { changeId: change.changeId })
  if (done) showToast({ message: `${visibleText(change.path)} is as it was.` })
}

function RowMenu({
  row,
  onOpen,
}: {
  readonly row: HostRow
  readonly onOpen: (dialog: RowDialog) => void
}): JSX.Element {
  const { host, file, connection, change } = row
  const isKnown = useAgent(connection?.agentId ?? '') !== undefined
  const canKeep = connection !== undefined && isKept(connection.state, isKnown)
  const canDisconnect = connection !== undefined && connection.state !== 'gone'
  const label = `More actions, ${host.name}`
  return (
    <Menu label={label} trigger={<IconButton label={label} icon={Ellipsis} />}>
      <MenuAction icon={Copy} onSelect={() => copyText(file.path, 'The path was copied.')}>
        Copy path
      </MenuAction>
      {change && (
        <MenuAction icon={Undo2} onSelect={() => void undo(row)}>
          Undo the last change
        </MenuAction>
      )}
      {(canKeep || canDisconnect) && <MenuLine />}
      {canKeep && (
        <MenuAction icon={Pin} onSelect={() => void keep(row)}>
          {connection.state === 'gone' ? 'Leave it out' : 'Keep it as it is'}
        </MenuAction>
      )}
      {canDisconnect && (
        <MenuAction danger icon={Unplug} onSelect={() => onOpen('disconnect')}>
          Disconnect
        </MenuAction>
      )}
    </Menu>
  )
}

/** The one button that fits. */
function RowButton({
  row: { host, file, connection },
  isFirst,
  onOpen,
}: {
  readonly row: HostRow
  readonly isFirst: boolean
  readonly onOpen: (dialog: RowDialog) => void
}): JSX.Element | null {
  const suffix = file.scope === 'folder' ? `${host.name}, ${file.path}` : host.name
  if (fileProblem(file) !== undefined)
    return (
      <Button
        size="small"
        aria-label={`Look again, ${suffix}`}
        onClick={() => void ask('hosts.look', {})}
      >
        Look again
      </Button>
    )
  if (connection && !needsMending(connection.state)) return null
  const label = connection ? 'Mend' : 'Connect'
  return (
    <Button
      size="small"
      variant={isFirst ? 'primary' : 'default'}
      aria-label={`${label}, ${suffix}`}
      onClick={() => onOpen('connect')}
    >
      {label}
    </Button>
  )
}

/** A file of an app that is here: how it is, where it is, and what can be done. */
export function HostRowView({
  row,
  isFirst,
  onOpen,
}: {
  readonly row: HostRow
  /** Its button is the one that leads on. */
  readonly isFirst: boolean
  readonly onOpen: (dialog: RowDialog) => void
}): JSX.Element {
  const { host, file } = row
  const { status, label } = glyphOf(row)
  return (
    <li id={rowElementId(row)} className="row at-top gap-2 pad-row" tabIndex={-1}>
      <StatusGlyph status={status} label={label} />
      <div className="grow soft break pretty">
        <p className="row gap-2 slim">
          <b className="ink">{host.name}</b>
          {file.scope === 'folder' && <Tag>Project</Tag>}
        </p>
        <Sentence row={row} />
        <p className="faint small">
          <code>{visibleText(file.path)}</code>
          {file.sharedWith.length > 0 && ` Also read by ${namesInWords(file.sharedWith)}.`}
        </p>
      </div>
      <RowButton row={row} isFirst={isFirst} onOpen={onOpen} />
      <RowMenu row={row} onOpen={onOpen} />
    </li>
  )
}
