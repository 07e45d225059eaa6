import type { ReactElement } from 'react'

import type { UpdateState } from '../../../src-shared/domain/state/app-update'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { Button } from '../../ui/controls/button'
import { problemWords } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'
import { SettingsBlock } from './setting-row'

/** What can be done about an update: the words of its button, and whom it asks. */
function stepOf(update: UpdateState) {
  if (update.kind === 'ready') return ['Restart to update', 'app.restartToUpdate'] as const
  if (update.kind === 'available' && update.command === undefined)
    return ['Download update', 'app.downloadUpdate'] as const
  return ['Check for updates', 'app.checkForUpdates'] as const
}

/** Updates of Patchbay itself: the state of the newest, and what to do with it. */
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

/** Where an update of Patchbay stands, in a sentence; empty before the first check. */
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
      return problemWords(update)
  }
}
