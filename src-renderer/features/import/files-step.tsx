import { type JSX, useEffect } from 'react'
import { Link } from 'wouter'

import type { HostChangePreview, HostView } from '../../../src-shared/domain/agents/host'
import { ChangeView } from '../../components/app/change-view'
import { useSecretsInMemory } from '../../components/secret/secret-place'
import { useApp } from '../../stores/app-store'
import { Checkbox } from '../../ui/controls/checkbox'
import { Banner } from '../../ui/layout/banner'
import { keepFocus } from '../../ui/layout/page'
import { formatList } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import type { FilesStep as Step } from './use-import'

const NO_HOSTS: readonly HostView[] = []

/** The host of a file while nothing in it leads to Patchbay. */
function unconnectedHost(hosts: readonly HostView[], fileId: string): string | undefined {
  const host = hosts.find(({ files }) => files.some((file) => file.fileId === fileId))
  const isConnected = host?.files.some(({ connections }) =>
    connections.some(({ state }) => state !== 'gone' && state !== 'agentGone'),
  )
  return isConnected === true ? undefined : host?.name
}

function File(props: {
  readonly preview: HostChangePreview
  readonly isLeft: boolean
  readonly onLeave: (isLeft: boolean) => void
}): JSX.Element {
  const { preview, isLeft, onLeave } = props
  const { fileId, path, entryNames, obstacle } = preview
  const host = useApp(({ app }) => unconnectedHost(app?.hosts.hosts ?? NO_HOSTS, fileId))
  const names = visibleText(formatList(entryNames))
  return (
    <section className="grid min-w-0 gap-2" aria-label={visibleText(path)}>
      <Checkbox
        disabled={obstacle !== undefined}
        checked={obstacle === undefined && !isLeft}
        onCheckedChange={(isChanged) => onLeave(!isChanged)}
      >
        <b>Turn off {names}</b>
      </Checkbox>
      {host !== undefined && (
        <p className="text-muted">
          {visibleText(host)} isn’t connected to Patchbay and loses these servers. Connect it on the{' '}
          <Link href="/apps">Apps</Link> page.
        </p>
      )}
      <ChangeView preview={preview} />
    </section>
  )
}

/** What switching the imported entries off does to each file, and which files are changed. */
export function FilesStep(props: {
  readonly step: Step
  readonly onLeave: (fileId: string, isLeft: boolean) => void
}): JSX.Element {
  const { step, onLeave } = props
  const isInMemory = useSecretsInMemory()
  useEffect(() => keepFocus(), [])
  return (
    <div className="grid max-w-text gap-6">
      <p className="text-muted">
        Patchbay imports the servers, then turns them off in the apps you select here.
      </p>
      {isInMemory && (
        <Banner severity="warn" title="Secrets in memory only">
          Removing an entry also deletes its secrets from the app’s file. Re-enter them each time
          Patchbay starts.
        </Banner>
      )}
      {step.files.map((preview) => (
        <File
          key={preview.fileId}
          preview={preview}
          isLeft={step.left.has(preview.fileId)}
          onLeave={(isLeft) => onLeave(preview.fileId, isLeft)}
        />
      ))}
    </div>
  )
}
