import { Copy, Ellipsis, Pin, Undo2, Unplug } from 'lucide-react'
import { type JSX, type SyntheticEvent, useId, useState } from 'react'

import type { ConnectionState, HostConnection } from '../../../../src-shared/domain/agents/host'
import { ChangeView } from '../../../components/app/change-view'
import { DuplicatesChoice } from '../../../components/app/duplicates-choice'
import {
  connectionMessage,
  type HostRow,
  isBrokenConnection,
} from '../../../components/app/host-rows'
import {
  type Connected,
  useAgent,
  useConnecting,
  useHostChange,
} from '../../../components/app/use-connecting'
import { call } from '../../../ipc/call'
import { attempt, showFailure } from '../../../ipc/show-failure'
import { Button, IconButton } from '../../../ui/controls/button'
import { Checkbox, Select } from '../../../ui/controls/choice'
import { Menu, MenuAction, MenuSeparator } from '../../../ui/controls/menu'
import { Field, ProblemText, TextInput } from '../../../ui/fields/field'
import { Skeleton } from '../../../ui/layout/page'
import { Dialog } from '../../../ui/overlays/dialog'
import { showToast } from '../../../ui/overlays/toast'
import { copyText } from '../../../ui/saving/copy-text'
import { problemText } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { ConnectCheck } from './connect-check'

const NEW = ''

/** Whether the entry keeps its key: a repaired entry still belongs to its app. */
function keepsKey({ connection }: HostRow): boolean {
  return connection !== undefined && connection.state !== 'agentGone'
}

function Writing(props: {
  readonly row: HostRow
  readonly onWritten: (connected: Connected) => void
  readonly onClose: () => void
}): JSX.Element {
  const { row, onWritten, onClose } = props
  const id = useId()
  const connecting = useConnecting(row, onWritten)
  const { preview, refusal, duplicates, turnDuplicatesOff, canWrite, isBusy, write } = connecting
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    write()
  }
  const { agents, choice, choose, nameProblem } = connecting
  const options = agents.map(({ agentId, name }) => ({ value: agentId, label: name }))
  return (
    <>
      <form id={id} className="mt-4 grid gap-4" noValidate onSubmit={submit}>
        {!keepsKey(row) && (
          <>
            {agents.length > 0 && (
              <Field
                id={`${id}-agent`}
                label="Use settings of"
                hint="Apps with the same settings share key, tools, and permissions."
              >
                {(ids) => (
                  <Select
                    {...ids}
                    value={choice.agentId ?? NEW}
                    onValueChange={(value) =>
                      choose({ agentId: value === NEW ? undefined : value })
                    }
                    options={[{ value: NEW, label: 'New app' }, ...options]}
                  />
                )}
              </Field>
            )}
            {choice.agentId === undefined && (
              <Field
                id={`${id}-name`}
                label="Name"
                problem={nameProblem}
                hint="The app gets its own key and all tools until you choose."
              >
                {(ids) => (
                  <TextInput
                    {...ids}
                    aria-required
                    maxLength={60}
                    value={choice.name}
                    onValueChange={(name) => choose({ name })}
                  />
                )}
              </Field>
            )}
          </>
        )}
        {refusal && <ProblemText topic={refusal.code}>{problemText(refusal)}</ProblemText>}
        {preview && <ChangeView preview={preview} />}
        {duplicates && (
          <DuplicatesChoice
            duplicates={duplicates}
            appName={row.host.name}
            onChoose={turnDuplicatesOff}
          />
        )}
        {!preview && refusal === undefined && <Skeleton label="Reading the file" />}
      </form>
      <div className="actions mt-5 flex justify-end gap-2">
        <Button size="form" onClick={onClose}>
          Cancel
        </Button>
        <Button
          size="form"
          variant="primary"
          type="submit"
          form={id}
          busy={isBusy}
          aria-disabled={!canWrite || undefined}
        >
          {verbOf(row)}
        </Button>
      </div>
    </>
  )
}

function verbOf({ connection }: HostRow): string {
  return connection ? 'Repair' : 'Connect'
}

function descriptionOf({ host: { name }, connection }: HostRow): string {
  if (connection)
    return `${connectionMessage(connection, name, undefined)} Patchbay replaces the entry.`
  return `Patchbay adds one entry to the config file of ${name}. The key is not stored in this file.`
}

/** Connects an app through an entry in its file: first the change, then a check that the app uses the entry. */
export function ConnectDialog(props: {
  readonly row: HostRow
  readonly onClose: () => void
  readonly onCloseAutoFocus?: (event: Event) => void
}): JSX.Element {
  const { row, onClose, onCloseAutoFocus } = props
  const [connected, setConnected] = useState<Connected | null>(null)
  const { name } = row.host
  return (
    <Dialog
      wide
      onClose={onClose}
      {...(onCloseAutoFocus && { onCloseAutoFocus })}
      title={`${verbOf(row)} ${name}`}
      {...(!connected && { description: descriptionOf(row) })}
    >
      {connected ? (
        <ConnectCheck host={row.host} connected={connected} onClose={onClose} />
      ) : (
        <Writing row={row} onWritten={setConnected} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** Whether an entry can be accepted unchanged; a foreign one only if its app is known. */
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

/** Menu of the actions on an app's entry and its file. */
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
        {(isKeepable || isThere) && <MenuSeparator />}
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
  const changing = useHostChange('hosts.previewDisconnect', ref, async (previewHash) => {
    const input = { ...ref, previewHash, removesAgent: hasAgent && removesAgent }
    const { change } = await call('hosts.disconnect', input)
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
        {refusal && <ProblemText topic={refusal.code}>{problemText(refusal)}</ProblemText>}
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
