import { Download, Eraser, Pause, Play } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { attempt, tellFailure } from '../../ipc/tell-failure'
import { IconButton } from '../../ui/controls/icon-button'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog'
import { showToast } from '../../ui/overlays/toast'
import { fileName, saveText } from '../../ui/saving/save-text'
import { exportNote, messagesWords } from './detail/messages'
import { changeMessageLog } from './message-store'
import { asFilter } from './message-view'
import { clearMessageLog, readMessages } from './read-messages'
import type { ShownMessages } from './use-messages'

async function exportMessages(server: ServerView, { known }: ShownMessages): Promise<void> {
  const { installationId, name } = server
  const { view, entries } = known
  try {
    const filter = asFilter(view, entries)
    const answer = await call('messages.export', { installationId, filter })
    saveText(fileName(`${name} messages`, Date.now(), 'jsonl'), answer.text)
    const message = exportNote(answer)
    if (message !== undefined) showToast({ message })
  } catch (thrown) {
    tellFailure(thrown)
  }
}

async function clearMessages({ installationId }: ServerView): Promise<void> {
  await clearMessageLog(installationId)
  showToast({ message: 'Messages cleared.' })
}

/** What can be done with the messages: those that are shown are exported, all are cleared. */
export function MessageActions({
  server,
  messageLog,
}: {
  readonly server: ServerView
  readonly messageLog: ShownMessages
}): JSX.Element {
  const { installationId } = server
  const { isPaused, entries } = messageLog.known
  const [isExporting, setIsExporting] = useState(false)
  const [isClearing, setIsClearing] = useState(false)
  const pause = (): void => {
    changeMessageLog(installationId, () => ({ isPaused: !isPaused }))
    if (isPaused) void readMessages(installationId)
  }
  const save = async (): Promise<void> => {
    setIsExporting(true)
    await exportMessages(server, messageLog)
    setIsExporting(false)
  }
  return (
    <>
      <IconButton
        small
        icon={isPaused ? Play : Pause}
        label={isPaused ? 'Resume' : 'Pause'}
        className={isPaused ? 'is-on' : undefined}
        onClick={pause}
      />
      <IconButton
        small
        icon={Download}
        label="Export messages"
        disabled={messageLog.shown.length === 0 || isExporting}
        onClick={() => void save()}
      />
      <IconButton
        small
        icon={Eraser}
        label="Clear messages"
        disabled={entries.length === 0}
        onClick={() => setIsClearing(true)}
      />
      {isClearing && (
        <ConfirmDialog
          title="Clear messages?"
          description={`Deletes ${messagesWords(entries.length)} of ${server.name}, regardless of filters. The server keeps running.`}
          confirmLabel="Clear messages"

          onConfirm={() => attempt(clearMessages(server))}
          focusAfterId="main"
          onClose={() => setIsClearing(false)}
        />
      )}
    </>
  )
}
