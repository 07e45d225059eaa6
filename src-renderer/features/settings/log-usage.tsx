import { type ReactElement, useState } from 'react'

import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useRequest } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { ProblemText } from '../../ui/fields/field'
import { ConfirmDialog } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { counted, formatBytes } from '../../ui/text/format'
import { SettingsBlock } from './setting-row'

function takenText({ bytes, files }: { readonly bytes: number; readonly files: number }): string {
  if (files === 0) return 'No log files yet.'
  return `${formatBytes(bytes)} in ${counted(files, 'file')}`
}

function ClearFiles({ onCleared }: { readonly onCleared: () => void }): ReactElement {
  const [isAsking, setIsAsking] = useState(false)
  const clear = async (): Promise<void> => {
    await call('log.clearFiles', {})
    showToast({ message: 'Log files deleted.' })
  }
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Delete log files</Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete log files of all servers?"
        description="Lines shown now stay until you quit. New lines go to new files."
        confirmLabel="Delete log files"
        onConfirm={() => attempt(clear()).finally(onCleared)}
      />
    </>
  )
}

/** How much of the servers' logs is on the disk, and a way to delete it. Asked again when the limits are others. */
export function LogUsage({ limits }: { readonly limits: string }): ReactElement {
  const { loaded, retry } = useRequest('log.usage', {}, { state: [limits] })
  return (
    <SettingsBlock title="Log files">
      <div className="flex flex-wrap items-center gap-4 gap-y-2" aria-live="polite">
        {loaded.kind === 'loading' && <span className="text-faint">Counting files</span>}
        {loaded.kind === 'failed' && (
          <ProblemText topic={loaded.problem.code}>{loaded.problem.message}</ProblemText>
        )}
        {loaded.kind === 'ready' && <span className="tabular-nums">{takenText(loaded.value)}</span>}
        {loaded.kind === 'ready' && loaded.value.files > 0 && <ClearFiles onCleared={retry} />}
        {loaded.kind === 'failed' && <Button onClick={retry}>Try again</Button>}
      </div>
      {loaded.kind === 'ready' && (
        <div className="text-small text-pretty wrap-anywhere text-muted">
          <code>{loaded.value.folder}</code>
        </div>
      )}
    </SettingsBlock>
  )
}
