import type { ReactElement } from 'react'

import type { UpdateState } from '../../../src-shared/domain/state/app-update'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { Button } from '../../ui/controls/button'
import { PlainText } from '../../ui/text/plain-text'
import { problemWords } from '../../ui/text/problem-messages'
import { SettingsBlock } from './setting-row'

function UpdateButton({ update }: { readonly update: UpdateState }): ReactElement {
  if (update.kind === 'ready')
    return (
      <Button onClick={() => void attempt(call('app.restartToUpdate', {}))}>
        Restart to update
      </Button>
    )
  if (update.kind === 'available' && update.command === undefined)
    return (
      <Button onClick={() => void attempt(call('app.downloadUpdate', {}))}>Download update</Button>
    )
  return (
    <Button
      busy={update.kind === 'checking' || update.kind === 'downloading'}
      onClick={() => void attempt(call('app.checkForUpdates', {}))}
    >
      Check for updates
    </Button>
  )
}

/** Updates of Patchbay itself: the state of the newest, and what to do with it. */
export function AppUpdate({ update }: { readonly update: UpdateState }): ReactElement {
  const notes = 'notes' in update ? update.notes : ''
  const command = update.kind === 'available' ? update.command : undefined
  return (
    <SettingsBlock title="Updates">
      <div className="row wrap gap-4 rows-2">
        <UpdateButton update={update} />
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
