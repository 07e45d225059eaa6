import { type ReactElement, useState } from 'react'

import type { UpdateState } from '../../../src-shared/domain/state/app-update'
import { LongText } from '../../components/json/long-text'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useRequest } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { ProblemText } from '../../ui/fields/field'
import { Skeleton } from '../../ui/layout/page'
import { ConfirmDialog, Dialog } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { counted, formatBytes, problemText } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'
import { SettingsBlock } from './setting-row'

/** Returns the label and the request for the next step of an update. */
function stepOf(update: UpdateState) {
  if (update.kind === 'ready') return ['Restart to update', 'app.restartToUpdate'] as const
  if (update.kind === 'available' && update.command === undefined)
    return ['Download update', 'app.downloadUpdate'] as const
  return ['Check for updates', 'app.checkForUpdates'] as const
}

/** Updates of Patchbay itself: the state of the newest one, and its action. */
export function AppUpdate({ update }: { readonly update: UpdateState }): ReactElement {
  const notes = 'notes' in update ? update.notes : ''
  const [label, channel] = stepOf(update)
  const command = update.kind === 'available' ? update.command : undefined
  return (
    <SettingsBlock title="Updates">
      <div className="flex flex-wrap items-center gap-4 gap-y-2">
        <Button
          busy={update.kind === 'checking' || update.kind === 'downloading'}
          onClick={() => void attempt(call(channel, {}))}
        >
          {label}
        </Button>
        <p aria-live="polite">{updateMessage(update)}</p>
      </div>
      {command !== undefined && <code>{command}</code>}
      {notes !== '' && <PlainText text={notes} />}
    </SettingsBlock>
  )
}

/** Returns the state of an update as a sentence; empty before the first check. */
export function updateMessage(update: UpdateState): string {
  switch (update.kind) {
    case 'idle':
      return ''
    case 'checking':
      return 'Checking for updates.'
    case 'current':
      return 'Patchbay is up to date.'
    case 'available':
      return update.command === undefined
        ? `Version ${update.version} is available.`
        : `Version ${update.version} is available. To install, quit Patchbay and run this command:`
    case 'downloading':
      return `Downloading version ${update.version}: ${update.percent}%.`
    case 'ready':
      return `Version ${update.version} is ready. Patchbay installs the update when you quit.`
    case 'failed':
      return problemText(update)
  }
}

function sizeText({ bytes, files }: { readonly bytes: number; readonly files: number }): string {
  if (files === 0) return 'No log files yet.'
  return `${formatBytes(bytes)} in ${counted(files, 'file')}`
}

function ClearFiles({ onCleared }: { readonly onCleared: () => void }): ReactElement {
  const [isConfirming, setIsConfirming] = useState(false)
  const clear = async (): Promise<void> => {
    await call('log.clearFiles', {})
    showToast({ message: 'Log files deleted.' })
  }
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>Delete log files</Button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title="Delete log files of all servers?"
        description="Lines shown now stay until you quit. New lines go to new files."
        confirmLabel="Delete log files"
        onConfirm={() => attempt(clear()).finally(onCleared)}
      />
    </>
  )
}

/** The disk usage of the servers' logs, and a button to delete them. Reloads when the limits change. */
export function LogUsage({ limits }: { readonly limits: string }): ReactElement {
  const { loaded, retry } = useRequest('log.usage', {}, { state: [limits] })
  return (
    <SettingsBlock title="Log files">
      <div className="flex flex-wrap items-center gap-4 gap-y-2" aria-live="polite">
        {loaded.kind === 'loading' && <span className="text-faint">Counting files</span>}
        {loaded.kind === 'failed' && (
          <ProblemText topic={loaded.problem.code}>{loaded.problem.message}</ProblemText>
        )}
        {loaded.kind === 'ready' && <span className="tabular-nums">{sizeText(loaded.value)}</span>}
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

/** Shows the diagnostics before the user copies them. */
export function DiagnosticsDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { value, loaded } = useRequest('app.diagnostics', {})
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Copy diagnostics"
      description="Versions, changed settings, and the status of your servers, for a report. Known secrets are masked. Read it before you send it."
      leave="Close"
      actions={
        value !== undefined && (
          <Button
            size="form"
            variant="primary"
            onClick={() => copyText(value.text, 'Diagnostics copied.')}
          >
            Copy
          </Button>
        )
      }
    >
      {value === undefined && loaded.kind === 'loading' && <Skeleton label="Collecting" rows={6} />}
      {loaded.kind === 'failed' && (
        <ProblemText topic={loaded.problem.code}>{problemText(loaded.problem)}</ProblemText>
      )}
      {value !== undefined && (
        <div className="mt-3">
          <LongText text={value.text} label="Diagnostics" />
        </div>
      )}
    </Dialog>
  )
}
