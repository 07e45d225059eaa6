import { Copy } from 'lucide-react'
import type { ReactElement } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type {
  CommandPreview as Command,
  LaunchPreview,
  RemotePreview,
} from '../../../src-shared/domain/launch-plan'
import { ArgvList } from '../../ui/argv-list'
import { Banner } from '../../ui/banner'
import { Button } from '../../ui/button'
import { Skeleton } from '../../ui/skeleton'
import { showToast } from '../../ui/toast'
import type { FieldSpot } from './argv-lines'
import { argvJson, argvLines, environmentLines } from './argv-lines'
import { addressLine, headerLines } from './remote-lines'

type CommandPreviewProps = {
  readonly preview: LaunchPreview | null
  readonly problem: AppErrorShape | null
  readonly live: FieldSpot | null
  readonly bad: readonly FieldSpot[]
  readonly secretsInMemory: boolean
}

async function copyCommand(preview: Command): Promise<void> {
  try {
    await navigator.clipboard.writeText(argvJson(preview))
    showToast({ message: 'The command is copied as a JSON list, secrets masked.' })
  } catch {
    showToast({
      tone: 'error',
      message: 'The clipboard refused the command. Select the lines and copy them.',
    })
  }
}

function countText(preview: LaunchPreview): string {
  if (preview.kind === 'remote') return 'connects over HTTP'
  const count = preview.args.length
  if (count === 0) return `${preview.command} alone`
  return `${preview.command} and ${count} argument${count === 1 ? '' : 's'}`
}

function Environment({
  preview,
  ...marks
}: CommandPreviewProps & { preview: Command }): ReactElement {
  const lines = environmentLines(preview, marks)
  return (
    <section aria-label="Environment">
      <div className="section-head preview-section">
        <h3>Environment</h3>
        <span className="count">
          {lines.length === 0 ? 'nothing added' : `${lines.length} added`}
        </span>
      </div>
      {lines.length === 0 ? null : <ArgvList label="Environment" lines={lines} numbered={false} />}
    </section>
  )
}

function CommandBody({
  preview,
  ...marks
}: CommandPreviewProps & { preview: Command }): ReactElement {
  return (
    <>
      <ArgvList label="Command" lines={argvLines(preview, marks)} />
      <Environment {...marks} preview={preview} />
      {preview.cwd === undefined ? null : (
        <p className="faint preview-words">
          Runs in <code>{preview.cwd}</code>.
        </p>
      )}
      <p className="faint preview-words">
        Each line reaches the server as one argument, exactly as shown. No shell reads it, so spaces
        and symbols are safe.
      </p>
    </>
  )
}

function RemoteBody({
  preview,
  ...marks
}: CommandPreviewProps & { preview: RemotePreview }): ReactElement {
  const lines = headerLines(preview, marks)
  return (
    <>
      <ArgvList label="Address" lines={[addressLine(preview, marks)]} numbered={false} />
      <section aria-label="Headers">
        <div className="section-head preview-section">
          <h3>Headers</h3>
          <span className="count">
            {lines.length === 0 ? 'nothing added' : `${lines.length} added`}
          </span>
        </div>
        {lines.length === 0 ? null : <ArgvList label="Headers" lines={lines} numbered={false} />}
      </section>
    </>
  )
}

/** The exact command that the form makes, line by line, and what its process gets. */
export function CommandPreview(props: CommandPreviewProps): ReactElement {
  const { preview, problem } = props
  return (
    <aside className="preview" aria-label="Command preview">
      <div className="preview-head">
        <h2>Command</h2>
        <span className="faint cut">{preview ? countText(preview) : ''}</span>
        <span className="grow" />
        {preview?.kind === 'command' ? (
          <Button
            variant="quiet"
            size="small"
            icon={Copy}
            onClick={() => void copyCommand(preview)}
          >
            Copy
          </Button>
        ) : null}
      </div>
      <div
        className="preview-body"
        tabIndex={0}
        role="region"
        aria-label="Arguments and environment"
      >
        {problem ? (
          <div className="preview-note">
            <Banner severity="error" title={problem.message}>
              {problem.hint}
            </Banner>
          </div>
        ) : null}
        {preview === null && problem === null ? <Skeleton label="Reading the command" /> : null}
        {preview ? (
          <>
            {preview.warnings.map((warning) => (
              <div className="preview-note" key={warning}>
                <Banner severity="warn">{warning}</Banner>
              </div>
            ))}
            {preview.kind === 'command' ? (
              <CommandBody {...props} preview={preview} />
            ) : (
              <RemoteBody {...props} preview={preview} />
            )}
          </>
        ) : null}
      </div>
    </aside>
  )
}
