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
import { clearTraffic, lookAtTraffic } from './read-traffic'
import { changeTraffic } from './traffic-store'
import { asFilter } from './traffic-view'
import type { ShownTraffic } from './use-traffic'

async function exportMessages(server: ServerView, { known }: ShownTraffic): Promise<void> {
  const { installationId, name } = server
  const { view, entries } = known
  try {
    const filter = asFilter(view, entries)
    const answer = await call('traffic.export', { installationId, filter })
    saveText(fileName(`${name} messages`, Date.now(), 'jsonl'), answer.text)
    const message = exportNote(answer)
    if (message !== undefined) showToast({ message })
  } catch (thrown) {
    tellFailure(thrown)
  }
}

async function clearMessages({ installationId }: ServerView): Promise<void> {
  await clearTraffic(installationId)
  showToast({ message: 'Messages cleared.' })
}

/** What can be done with the messages: those that are shown are exported, all are cleared. */
export function TrafficActs({
  server,
  traffic,
}: {
  readonly server: ServerView
  readonly traffic: ShownTraffic
}): JSX.Element {
  const { installationId } = server
  const { isPaused, entries } = traffic.known
  const [isExporting, setIsExporting] = useState(false)
  const [isClearing, setIsClearing] = useState(false)
  const pause = (): void => {
    changeTraffic(installationId, () => ({ isPaused: !isPaused }))
    if (isPaused) void lookAtTraffic(installationId)
  }
  const save = async (): Promise<void> => {
    setIsExporting(true)
    await exportMessages(server, traffic)
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
        disabled={traffic.shown.length === 0 || isExporting}
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
