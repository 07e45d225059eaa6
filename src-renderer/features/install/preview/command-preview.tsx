import type { ReactElement } from 'react'
import { memo } from 'react'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { Banner } from '../../../ui/layout/banner'
import { Skeleton } from '../../../ui/layout/skeleton'
import { counted } from '../../../ui/text/format'
import type { FieldSpot, Marks } from '../values/argv-lines'
import type { WriteFor } from './copy-menu'
import { CopyMenu } from './copy-menu'
import { CommandBody, RemoteBody } from './preview-bodies'
import { TRANSPORT_NAMES } from './transport-names'

type CommandPreviewProps = {
  readonly preview: LaunchPreview | null
  readonly problem: AppErrorShape | null
  readonly live: FieldSpot | null
  readonly bad: readonly FieldSpot[]
  readonly secretsInMemory: boolean
  /** Without it there is no Copy button. */
  readonly writeFor?: WriteFor | undefined
}

function summaryOf(preview: LaunchPreview): string {
  if (preview.kind === 'remote') return TRANSPORT_NAMES[preview.type]
  const count = preview.args.length
  if (count === 0) return `${preview.command}, no arguments`
  return `${preview.command}, ${counted(count, 'argument')}`
}

function PreviewBody(props: {
  readonly preview: LaunchPreview
  readonly marks: Marks
}): ReactElement {
  const { preview, marks } = props
  return (
    <>
      {preview.warnings.map((warning) => (
        <div className="below-2" key={warning}>
          <Banner severity="warn">{warning}</Banner>
        </div>
      ))}
      {preview.kind === 'command' ? (
        <CommandBody preview={preview} marks={marks} />
      ) : (
        <RemoteBody preview={preview} marks={marks} />
      )}
    </>
  )
}

/** The exact command or address that the form makes, line by line, and what goes with it. */
export const CommandPreview = memo(function CommandPreview(
  props: CommandPreviewProps,
): ReactElement {
  const { preview, problem, live, bad, secretsInMemory, writeFor } = props
  const isRemote = preview?.kind === 'remote'
  return (
    <aside
      className="aside subtle col"
      aria-label={isRemote ? 'Connection preview' : 'Command preview'}
    >
      <div className="pad-bar row gap-2">
        <h2>{isRemote ? 'Connection' : 'Command'}</h2>
        <span className="faint cut">{preview ? summaryOf(preview) : ''}</span>
        <span className="grow" />
        {preview && writeFor ? <CopyMenu kind={preview.kind} write={writeFor} /> : null}
      </div>
      <div
        className="preview-body fill scroll"
        tabIndex={0}
        role="region"
        aria-label={isRemote ? 'Address and headers' : 'Arguments and environment'}
      >
        {problem ? (
          <div className="below-2">
            <Banner severity="error" title={problem.message}>
              {problem.hint}
            </Banner>
          </div>
        ) : null}
        {preview === null && problem === null ? <Skeleton label="Reading the command" /> : null}
        {preview ? <PreviewBody preview={preview} marks={{ live, bad, secretsInMemory }} /> : null}
      </div>
    </aside>
  )
})
