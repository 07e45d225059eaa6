import { type JSX, type SyntheticEvent, useId, useState } from 'react'

import { ChangeView } from '../../../components/app/change-view'
import { connectionSentence } from '../../../components/app/connection-messages'
import { DoublesChoice } from '../../../components/app/doubles-choice'
import type { HostRow } from '../../../components/app/host-rows'
import { type Connected, useConnecting } from '../../../components/app/use-connecting'
import { Button } from '../../../ui/controls/button'
import { Select } from '../../../ui/controls/select'
import { Field } from '../../../ui/fields/field'
import { ProblemText } from '../../../ui/fields/problem-text'
import { TextInput } from '../../../ui/fields/text-input'
import { Skeleton } from '../../../ui/layout/skeleton'
import { Dialog } from '../../../ui/overlays/dialog'
import { problemWords } from '../../../ui/text/problem-messages'
import { ConnectCheck } from './connect-check'

const NEW = ''

/** Whether the entry keeps its key: a repaired entry stays that of its app. */
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
  const { preview, refusal, doubles, turnDoublesOff, canWrite, isBusy, write } = connecting
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
        {refusal && <ProblemText topic={refusal.code}>{problemWords(refusal)}</ProblemText>}
        {preview && <ChangeView preview={preview} />}
        {doubles && (
          <DoublesChoice doubles={doubles} appName={row.host.name} onChoose={turnDoublesOff} />
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
    return `${connectionSentence(connection, name, undefined)} Patchbay replaces the entry.`
  return `Patchbay adds one entry to the config file of ${name}. The key is not stored in this file.`
}

/** Connects an app through an entry in its file: first the change, then whether the app uses the entry. */
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
