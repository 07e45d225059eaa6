import { FileBadge, X } from 'lucide-react'
import type { ReactElement } from 'react'

import type { NetworkView } from '../../../../src-shared/domain/state/network-view'
import { appStore } from '../../../stores/app-store'
import { IconButton } from '../../../ui/controls/icon-button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { showToast } from '../../../ui/overlays/toast'
import { counted } from '../../../ui/text/format'
import { saveSettings, saveTyped } from '../save-settings'
import { BrowseButton, TypedRow } from '../setting-row'
import { typedCertificateFile } from './network-rules'

type FileView = NetworkView['certificates'][number]

function FileRow({
  path,
  view,
  onRemove,
}: {
  readonly path: string
  readonly view: FileView | undefined
  readonly onRemove: () => void
}): ReactElement {
  const count = view?.count ?? 0
  return (
    <li className="row at-top gap-2">
      <FileBadge className="icon icon-s faint" aria-hidden />
      <div className="grow col break">
        <code className="break">{path}</code>
        <div role="status">
          {view?.trouble !== undefined && (
            <ProblemText alert={false}>
              {view.trouble} No certificate in this file is trusted.
            </ProblemText>
          )}
          {view && view.trouble === undefined && (
            <span className="soft small num">{`${counted(count, 'certificate')} trusted`}</span>
          )}
        </div>
      </div>
      <IconButton small label={`Remove ${path}`} icon={X} onClick={onRemove} />
    </li>
  )
}

/** Those in force at this moment: another may have been added since the page was drawn. */
function filesNow(): readonly string[] {
  return appStore.getState().app?.settings.certificateFiles ?? []
}

/** The files whose certificates are trusted besides those of the system, and a place for one more. */
export function CertificateFiles({
  files,
  views,
  canPickPath,
}: {
  readonly files: readonly string[]
  readonly views: readonly FileView[]
  readonly canPickPath: boolean
}): ReactElement {
  const add = saveTyped((text) => typedCertificateFile(filesNow())(text))
  async function remove(path: string): Promise<void> {
    document.getElementById('certificate-file')?.focus()
    const certificateFiles = filesNow().filter((file) => file !== path)
    const problem = await saveSettings({ certificateFiles })
    if (problem !== undefined) showToast({ message: problem, tone: 'error' })
  }
  return (
    <div>
      <TypedRow
        id="certificate-file"
        label="Extra certificates"
        note="PEM"
        description="PEM file with extra root certificates. Patchbay and the servers it starts trust them. Press Enter to add."
        value=""
        standard=""
        onSave={add}
        suffix={
          canPickPath && (
            <BrowseButton
              of="certificate file"
              onPick={async (path) => {
                const problem = await add(path)
                if (problem !== undefined) showToast({ message: problem, tone: 'error' })
              }}
            />
          )
        }
      />
      {files.length > 0 && (
        <ul className="col divided roomy above-3" aria-label="Certificate files">
          {files.map((path) => (
            <FileRow
              key={path}
              path={path}
              view={views.find((one) => one.path === path)}
              onRemove={() => void remove(path)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
