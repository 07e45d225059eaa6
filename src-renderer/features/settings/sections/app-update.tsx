import type { ReactElement } from 'react'

import type { UpdateState } from '../../../../src-shared/domain/state/app-update'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/tell-failure'
import { Button } from '../../../ui/controls/button'
import { PlainText } from '../../../ui/text/plain-text'
import { SwitchField } from '../setting/switch-setting'
import { updateMessage } from './update-message'

const AUTOMATIC = {
  key: 'checksForUpdates',
  id: 'checks-for-updates',
  label: 'Check for updates automatically',
  hint: 'Patchbay downloads updates and installs them when you quit, unless a package manager does.',
} as const

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

/** Updates of Patchbay itself: whether they are automatic, and the state of the newest. */
export function AppUpdate({
  update,
  settings,
}: {
  readonly update: UpdateState
  readonly settings: Settings
}): ReactElement {
  const notes = 'notes' in update ? update.notes : ''
  const command = update.kind === 'available' ? update.command : undefined
  return (
    <>
      <SwitchField of={AUTOMATIC} settings={settings} />
      <div className="row wrap gap-4 rows-2">
        <UpdateButton update={update} />
        <p aria-live="polite">{updateMessage(update)}</p>
      </div>
      {command !== undefined && <code>{command}</code>}
      {notes !== '' && <PlainText text={notes} />}
    </>
  )
}
