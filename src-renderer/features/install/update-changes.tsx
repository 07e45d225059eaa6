import type { ReactElement } from 'react'

import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import type {
  DroppedField,
  UpdateReview,
} from '../../../src-shared/domain/installation/update-review'
import { useApp } from '../../stores/app-store'
import { ChangedLines } from '../../ui/diff/changed-lines'
import { visibleText } from '../../ui/text/untrusted-text'

const REASONS: Record<DroppedField['reason'], string> = {
  gone: 'is no longer used',
  plainNow: 'is no longer a secret, so its saved value is not used',
  singleNow: 'now takes only one value',
}

function valueText({ value }: DroppedField, isKept: boolean): string {
  if (value === undefined)
    return isKept
      ? 'The saved secret is kept with the previous version.'
      : 'The saved secret will be deleted.'
  return `Previous value: ${typeof value === 'string' ? value : value.join(', ')}`
}

function hasUnseen(lines: readonly ChangedLine[]): boolean {
  return lines.some(({ kind }) => kind !== 'same')
}

/** The changes in another version: its command, its environment, and values without a field. */
export function UpdateChanges(props: {
  readonly review: UpdateReview
  readonly newLabels: readonly string[]
}): ReactElement {
  const { review, newLabels } = props
  const { changes, dropped, fromVersion, server } = review
  const isKept = useApp(({ app }) => (app?.settings.versionsKept ?? 0) > 0)
  return (
    <section className="flex flex-col gap-2" aria-labelledby="update-title">
      <h3 id="update-title">{visibleText(`${fromVersion} → ${server.version}`)}</h3>
      {server.packages.some(({ fileSha256 }) => fileSha256 !== undefined) ? (
        <p className="text-muted">Replaces all files of the bundle.</p>
      ) : null}
      {hasUnseen(changes.command) ? (
        <>
          <h4 className="mt-2 text-small text-muted">Command</h4>
          <ChangedLines label="Command changes" lines={changes.command} />
        </>
      ) : (
        <p className="text-muted">The command doesn’t change.</p>
      )}
      {hasUnseen(changes.pairs) ? (
        <>
          <h4 className="mt-2 text-small text-muted">Environment</h4>
          <ChangedLines label="Environment changes" lines={changes.pairs} />
        </>
      ) : (
        <p className="text-muted">The environment doesn’t change.</p>
      )}
      {newLabels.length > 0 ? (
        <p>
          New settings:{' '}
          <b className="font-medium text-foreground">{visibleText(newLabels.join(', '))}</b>
        </p>
      ) : null}
      {dropped.length > 0 && (
        <section aria-labelledby="update-dropped">
          <h4 id="update-dropped" className="mt-2 mb-1 text-small text-muted">
            Removed values
          </h4>
          <ul className="flex flex-col gap-2 wrap-anywhere">
            {dropped.map((field) => (
              <li key={`${field.machineName ?? ''} ${field.label}`}>
                <b className="font-medium text-foreground">{visibleText(field.label)}</b>{' '}
                {field.machineName && <code>{visibleText(field.machineName)}</code>}{' '}
                {REASONS[field.reason]}.{' '}
                <span className="text-faint">{valueText(field, isKept)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  )
}
