import { FolderCog, RefreshCw } from 'lucide-react'
import type { JSX } from 'react'
import { useEffect, useId, useState } from 'react'

import type { HostsState } from '../../../../src-shared/domain/agents/host'
import { ask } from '../../../host-parts/ask'
import { namesInWords } from '../../../host-parts/file-words'
import { type HostRow, hostRows } from '../../../host-parts/host-rows'
import { useApp } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { IconButton } from '../../../ui/controls/icon-button'
import { focusAfter } from '../../../ui/focus/focus-after'
import { useWayBack } from '../../../ui/focus/use-way-back'
import { Skeleton } from '../../../ui/layout/skeleton'
import { counted } from '../../../ui/text/elapsed'
import { ConnectDialog } from './connect-dialog'
import { DisconnectDialog } from './disconnect-dialog'
import { HostRowView, type RowDialog, rowElementId } from './host-row-view'
import { ProjectFoldersDialog } from './project-folders-dialog'

/** Element id of the head of the section. */
const HEAD_ID = 'apps-head'

type Over = { readonly kind: RowDialog; readonly row: HostRow } | { readonly kind: 'folders' }

function Away({ names }: { readonly names: readonly string[] }): JSX.Element | null {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  if (names.length === 0) return null
  const count = counted(names.length, 'more known app')
  return (
    <div>
      <DisclosureButton label={count} open={isOpen} controls={id} onOpenChange={setIsOpen} />
      <p id={id} className="soft" hidden={!isOpen}>
        {`Not found on this computer: ${namesInWords(names)}. An app that is not named here is added with “Add agent”, which shows what to put into its configuration.`}
      </p>
    </div>
  )
}

function Overlay({
  over,
  onClose,
}: {
  readonly over: Over
  readonly onClose: () => void
}): JSX.Element | null {
  const folders = useApp(({ app }) => app?.hosts.folders) ?? []
  const wayBack = useWayBack()
  if (over.kind === 'folders') return <ProjectFoldersDialog folders={folders} onClose={onClose} />
  const { row } = over
  const giveBack = (event: Event): void => {
    wayBack(event)
    if (event.defaultPrevented) return
    // The button that opened it is gone, as the row says something else now.
    const id = rowElementId(row)
    focusAfter(event, document.getElementById(id) ? id : HEAD_ID)
  }
  if (over.kind === 'connect')
    return <ConnectDialog row={row} onClose={onClose} onCloseAutoFocus={giveBack} />
  if (!row.connection) return null
  return (
    <DisconnectDialog
      row={row}
      connection={row.connection}
      onClose={onClose}
      onCloseAutoFocus={giveBack}
    />
  )
}

function Rows({
  rows,
  leadsOn,
  onOpen,
}: {
  readonly rows: readonly HostRow[]
  readonly leadsOn: boolean
  readonly onOpen: (over: Over) => void
}): JSX.Element {
  if (rows.length === 0)
    return <p className="soft">No app that Patchbay knows was found on this computer.</p>
  const first = leadsOn ? rows.find(({ connection }) => !connection)?.rowId : undefined
  return (
    <ul className="box surface divided" aria-labelledby={HEAD_ID}>
      {rows.map((row) => (
        <HostRowView
          key={row.rowId}
          row={row}
          isFirst={row.rowId === first}
          onOpen={(kind) => onOpen({ kind, row })}
        />
      ))}
    </ul>
  )
}

/** The agent apps of this computer: how each is connected, and the way to connect it. */
export function HostSection({
  state,
  leadsOn,
}: {
  readonly state: HostsState
  /** Connecting one of these is the next thing to do. */
  readonly leadsOn: boolean
}): JSX.Element {
  const [over, show] = useState<Over | null>(null)
  const { rows, away } = hostRows(state)
  const count = new Set(rows.map(({ host }) => host.hostId)).size
  useEffect(() => void ask('hosts.look', {}), [])
  return (
    <section className="stack gap-2" aria-labelledby={HEAD_ID}>
      <div className="row gap-2 tall below-1">
        <h2 id={HEAD_ID} tabIndex={-1}>
          Apps on this computer
        </h2>
        {state.isRead && <span className="faint num">{count}</span>}
        <span className="grow" />
        <Button
          size="small"
          variant="quiet"
          icon={FolderCog}
          onClick={() => show({ kind: 'folders' })}
        >
          Project folders
        </Button>
        <IconButton
          small
          icon={RefreshCw}
          label="Look again"
          onClick={() => void ask('hosts.look', {})}
        />
      </div>
      {state.isRead ? (
        <>
          <Rows rows={rows} leadsOn={leadsOn} onOpen={show} />
          <Away names={away} />
        </>
      ) : (
        <Skeleton label="Looking for apps" />
      )}
      {over && <Overlay over={over} onClose={() => show(null)} />}
    </section>
  )
}
