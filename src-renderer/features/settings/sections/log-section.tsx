import type { ReactElement } from 'react'
import { useState } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/tell-failure'
import { useRequest } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { showToast } from '../../../ui/overlays/toast'
import { counted, formatBytes } from '../../../ui/text/format'
import { saveTyped } from '../setting/save-settings'
import { SettingField } from '../setting/setting-field'
import { STANDARD_SETTINGS, typedWhole } from '../setting/setting-rules'
import { Section } from '../setting/setting-section'

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

/** Asked anew when the limits are others: what a deletion under way has to tell must not be lost with an older look. */
function LogUsage({ limits }: { readonly limits: string }): ReactElement {
  const { loaded, retry } = useRequest('log.usage', {}, { state: [limits] })
  return (
    <div className="field stack gap-1" role="group" aria-labelledby="log-usage-label">
      <div className="label flex at-base gap-2 slim medium">
        <span id="log-usage-label">Disk usage</span>
      </div>
      <div className="row wrap gap-4 rows-2" aria-live="polite">
        {loaded.kind === 'loading' && <span className="faint">Counting files</span>}
        {loaded.kind === 'failed' && (
          <ProblemText topic={loaded.problem.code}>{loaded.problem.message}</ProblemText>
        )}
        {loaded.kind === 'ready' && <span className="num">{takenText(loaded.value)}</span>}
        {loaded.kind === 'ready' && loaded.value.files > 0 && <ClearFiles onCleared={retry} />}
        {loaded.kind === 'failed' && <Button onClick={retry}>Try again</Button>}
      </div>
      {loaded.kind === 'ready' && (
        <div className="soft small pretty break">
          <code>{loaded.value.folder}</code>
        </div>
      )}
    </div>
  )
}

/** How much of the servers' logs is kept on the disk, and a way to delete it. */
export function LogSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Logs">
      <SettingField
        id="log-file-mb"
        label="Log size per server (MB)"
        hint="The oldest lines are deleted first. Known secrets are always masked."
        numeric
        value={String(settings.logFileMb)}
        standard={String(STANDARD_SETTINGS.logFileMb)}
        onSave={saveTyped(typedWhole('logFileMb'))}
      />
      <SettingField
        id="log-days"
        label="Keep logs for (days)"
        hint="Older files are deleted when Patchbay starts, and once a day."
        numeric
        value={String(settings.logDays)}
        standard={String(STANDARD_SETTINGS.logDays)}
        onSave={saveTyped(typedWhole('logDays'))}
      />
      <LogUsage limits={`${settings.logFileMb} ${settings.logDays}`} />
    </Section>
  )
}
