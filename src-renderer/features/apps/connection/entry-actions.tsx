import { Copy, Ellipsis, Pin, Undo2, Unplug } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import type { ConnectionState } from '../../../../src-shared/domain/agents/host'
import { ask } from '../../../components/app/ask'
import { isBrokenConnection } from '../../../components/app/connection-messages'
import type { HostRow } from '../../../components/app/host-rows'
import { useAgent } from '../../../components/app/use-agents'
import { IconButton } from '../../../ui/controls/icon-button'
import { Menu, MenuAction, MenuLine } from '../../../ui/controls/menu'
import { showToast } from '../../../ui/overlays/toast'
import { copyText } from '../../../ui/saving/copy-text'
import { visibleText } from '../../../ui/text/visible-text'
import { DisconnectDialog } from './disconnect-dialog'

/** Whether an entry can count as written as it is: a foreign one only where its app is known here. */
function canKeep(state: ConnectionState, isAgentKnown: boolean): boolean {
  if (state === 'foreign') return isAgentKnown
  return isBrokenConnection(state) && state !== 'agentGone'
}

async function keep({ host, file, connection }: HostRow): Promise<void> {
  if (!connection) return
  const { entryName, state } = connection
  const done = await ask('hosts.accept', { fileId: file.fileId, entryName })
  if (!done) return
  const what = state === 'gone' ? 'stays without its entry' : 'keeps its entry'
  showToast({ message: `${host.name} ${what}.` })
}

async function undo({ change }: HostRow): Promise<void> {
  if (!change) return
  const done = await ask('hosts.undo', { changeId: change.changeId })
  if (done) showToast({ message: `${visibleText(change.path)} restored.` })
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
          <MenuAction icon={Undo2} onSelect={() => void undo(row)}>
            Undo last change
          </MenuAction>
        )}
        {(isKeepable || isThere) && <MenuLine />}
        {isKeepable && (
          <MenuAction icon={Pin} onSelect={() => void keep(row)}>
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
