import { Download, Eraser } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import { call } from '../../ipc/call'
import { attempt } from '../../ipc/tell-failure'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog'
import { showToast } from '../../ui/overlays/toast'
import { callsWords } from './messages'
import type { CallExport } from './use-call-export'

async function clearCalls(): Promise<void> {
  await call('activity.clear', {})
  showToast({ message: 'Activity cleared.' })
}

/** What can be done with the calls: those that are found are exported, all are cleared. */
export function ActivityActs({
  found,
  exporting: { saving, start },
}: {
  readonly found: number
  readonly exporting: CallExport
}): JSX.Element {
  const kept = useApp(({ app }) => app?.activity.kept ?? 0)
  const [isClearing, setIsClearing] = useState(false)
  return (
    <>
      <Button icon={Download} busy={saving !== null} disabled={found === 0} onClick={start}>
        Export
      </Button>
      <Button icon={Eraser} disabled={kept === 0} onClick={() => setIsClearing(true)}>
        Clear
      </Button>
      {isClearing && (
        <ConfirmDialog
          title="Clear activity?"
          description={`Deletes ${callsWords(kept)} of all apps, regardless of filters. Apps keep working.`}
          confirmLabel="Clear activity"

          onConfirm={() => attempt(clearCalls())}
          focusAfterId="main"
          onClose={() => setIsClearing(false)}
        />
      )}
    </>
  )
}
