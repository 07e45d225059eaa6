import { Copy, Ellipsis, Pin, Undo2, Unplug } from 'lucide-react'
import { type JSX, useState } from 'react'

import type { ConnectionState, HostConnection } from '../../../../src-shared/domain/agents/host'
import { ChangeView } from '../../../components/app/change-view'
import { isBrokenConnection } from '../../../components/app/connection-messages'
import type { HostRow } from '../../../components/app/host-rows'
import { useAgent } from '../../../components/app/use-agents'
import { useHostChange } from '../../../components/app/use-connecting'
import { call } from '../../../ipc/call'
import { attempt, showFailure } from '../../../ipc/show-failure'
import { Button } from '../../../ui/controls/button'
import { Checkbox } from '../../../ui/controls/checkbox'
import { IconButton } from '../../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../../ui/controls/menu'
import { ProblemText } from '../../../ui/fields/problem-text'
import { Skeleton } from '../../../ui/layout/skeleton'
import { Dialog } from '../../../ui/overlays/dialog'
import { showToast } from '../../../ui/overlays/toast'
import { copyText } from '../../../ui/saving/copy-text'
import { problemWords } from '../../../ui/text/problem-messages'
import { visibleText } from '../../../ui/text/visible-text'

/** Whether an entry can count as written as it is: a foreign one only where its app is known here. */
function canKeep(state: ConnectionState, isAgentKnown: boolean): boolean {
  if (state === 'foreign') return isAgentKnown
  return isBrokenConnection(state) && state !== 'agentGone'
}

function keep({ host, file, connection }: HostRow): void {
  if (!connection) return
  const { entryName, state } = connection
  const what = state === 'gone' ? 'stays without its entry' : 'keeps its entry'
  call('hosts.accept', { fileId: file.fileId, entryName }).then(
    () => showToast({ message: `${host.name} ${what}.` }),
    showFailure,
  )
}

function undo({ change }: HostRow): void {
  if (!change) return
  call('hosts.undo', { changeId: change.changeId }).then(
    () => showToast({ message: `${visibleText(change.path)} restored.` }),
    showFailure,
  )
}

/** Actions on the entry of an app, and on the file that it is in. */
export function EntryMenu({ row }: { readonly row: HostRow }): JSX.Element {
  const { host, file, connection, change } = row
  const [isDisconnecting, setIsDisconnecting] = useState(false)
  const isKnown = useAgent(connection?.agentId ?? '') !== undefined
  const isKeepable = connection !== undefined && canKeep(connection.state, isKnown)
  const isThere = connection !== undefined && connection.state !== 'gone'
  const label = `More actions, ${file.scope === 'folder' ? `${host.name}, ${file.path}` : host.name}`
  return (
    <>
      <Menu label={label} trigger={<IconButton small label={label} icon={Ellipsis} />}>
        <MenuAction icon={Copy} onSelect={() => copyText(file.path, 'Path copied.')}>
          Copy path
        </MenuAction>
        {change && (
          <MenuAction icon={Undo2} onSelect={() => undo(row)}>
            Undo last change
          </MenuAction>
        )}
        {(isKeepable || isThere) && <MenuLine />}
        {isKeepable && (
          <MenuAction icon={Pin} onSelect={() => keep(row)}>
            {connection.state === 'gone' ? 'Ignore entry' : 'Keep entry'}
          </MenuAction>
        )}
        {isThere && (
          <MenuAction danger icon={Unplug} onSelect={() => setIsDisconnecting(true)}>
            Disconnect
          </MenuAction>
        )}
      </Menu>
      {isDisconnecting && connection && (
        <DisconnectDialog
          row={row}
          connection={connection}
          onClose={() => setIsDisconnecting(false)}
        />
      )}
    </>
  )
}

function DisconnectDialog(props: {
  readonly row: HostRow
  readonly connection: HostConnection
  readonly onClose: () => void
}): JSX.Element {
  const { row, connection, onClose } = props
  const { name } = row.host
  const agent = useAgent(connection.agentId ?? '')
  const hasAgent = agent !== undefined && connection.state !== 'foreign'
  const [removesAgent, setRemovesAgent] = useState(false)
  const ref = { fileId: row.file.fileId, entryName: connection.entryName }
  const changing = useHostChange('hosts.previewDisconnect', ref, async (seen) => {
    const asked = { ...ref, seen, removesAgent: hasAgent && removesAgent }
    const { change } = await call('hosts.disconnect', asked)
    showToast({
      message: `${name} disconnected.`,
      action: {
        label: 'Undo',
        onAct: () => void attempt(call('hosts.undo', { changeId: change.changeId })),
      },
    })
    onClose()
  })
  const { preview, problem, canWrite, isBusy, write } = changing
  const refusal = changing.refusal ?? problem
  return (
    <Dialog
      wide
      onClose={onClose}
      title={`Disconnect ${name}?`}
      description={`Patchbay removes one entry from the file. ${name} can’t reach your servers after that.`}
      leave="Cancel"
      actions={
        <Button
          size="form"
          variant="danger-solid"
          busy={isBusy}
          aria-disabled={!canWrite || undefined}
          onClick={write}
        >
          <span className="truncate">{`Disconnect ${name}`}</span>
        </Button>
      }
    >
      <div className="mt-4 grid gap-4">
        {refusal && <ProblemText topic={refusal.code}>{problemWords(refusal)}</ProblemText>}
        {preview && <ChangeView preview={preview} />}
        {!preview && refusal === undefined && <Skeleton label="Reading the file" />}
        {hasAgent && (
          <Checkbox
            className="flex min-w-0 items-center gap-2"
            checked={removesAgent}
            onCheckedChange={setRemovesAgent}
          >
            <span>{`Also remove ${agent.name} with its key and permissions`}</span>
          </Checkbox>
        )}
      </div>
    </Dialog>
  )
}
