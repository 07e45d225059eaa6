import type { JSX } from 'react'
import { useState } from 'react'

import type { HostConnection } from '../../../../src-shared/domain/agents/host'
import { ask } from '../../../components/app/ask'
import { ChangeView } from '../../../components/app/change-view'
import type { HostRow } from '../../../components/app/host-rows'
import { useAgent } from '../../../components/app/use-agents'
import { type HostChanging, useHostChange } from '../../../components/app/use-host-change'
import { call } from '../../../ipc/call'
import { Button } from '../../../ui/controls/button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { Skeleton } from '../../../ui/layout/skeleton'
import { Dialog } from '../../../ui/overlays/dialog'
import { showToast } from '../../../ui/overlays/toast'
import { problemWords } from '../../../ui/text/problem-messages'

function useDisconnecting(
  { host, file }: HostRow,
  { entryName }: HostConnection,
  { removesAgent, onDone }: { readonly removesAgent: boolean; readonly onDone: () => void },
): HostChanging {
  const ref = { fileId: file.fileId, entryName }
  return useHostChange('hosts.previewDisconnect', ref, async (seen) => {
    const { change } = await call('hosts.disconnect', { ...ref, seen, removesAgent })
    showToast({
      message: `${host.name} disconnected.`,
      action: { label: 'Undo', onAct: () => void ask('hosts.undo', { changeId: change.changeId }) },
    })
    onDone()
  })
}

function RemoveToo({
  name,
  isChosen,
  onChoose,
}: {
  readonly name: string
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}): JSX.Element {
  return (
    <label className="row gap-2 slim">
      <input
        type="checkbox"
        className="check"
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <span>{`Also remove ${name} with its key and permissions`}</span>
    </label>
  )
}

/** Removes the entry of an app from its file, with the change shown first. */
export function DisconnectDialog({
  row,
  connection,
  onClose,
}: {
  readonly row: HostRow
  readonly connection: HostConnection
  readonly onClose: () => void
}): JSX.Element {
  const { name } = row.host
  const agent = useAgent(connection.agentId ?? '')
  const hasAgent = agent !== undefined && connection.state !== 'foreign'
  const [removesAgent, setRemovesAgent] = useState(false)
  const changing = useDisconnecting(row, connection, {
    removesAgent: hasAgent && removesAgent,
    onDone: onClose,
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
          <span className="cut">{`Disconnect ${name}`}</span>
        </Button>
      }
    >
      <div className="stack gap-4 above-4">
        {refusal && <ProblemText topic={refusal.code}>{problemWords(refusal)}</ProblemText>}
        {preview && <ChangeView preview={preview} />}
        {!preview && refusal === undefined && <Skeleton label="Reading the file" />}
        {hasAgent && (
          <RemoveToo name={agent.name} isChosen={removesAgent} onChoose={setRemovesAgent} />
        )}
      </div>
    </Dialog>
  )
}
