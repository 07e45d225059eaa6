import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import type { RunStatus } from '../../../src-shared/domain/run-status'
import { SuggestedButton } from '../../server-parts/suggested-button'
import { StatusGlyph } from '../../ui/status-glyph'
import type { SuggestedAction } from '../../ui/status-words'
import { statusWords } from '../../ui/status-words'

type Failure = Extract<RunStatus, { kind: 'error' }>

const MOST_FIELDS = 6

function FailureText({
  status,
  withTail,
}: {
  readonly status: Failure
  readonly withTail: boolean
}): JSX.Element {
  return (
    <div className="say-text">
      <p>
        <b>{status.message}</b> {status.hint}
        <code className="say-code">{status.code}</code>
      </p>
      {status.fields.length > 0 && (
        <ul className="say-fields">
          {status.fields.map(({ fieldKey, label, message }) => (
            <li key={fieldKey}>
              <b>{label}</b>: {message}
            </li>
          ))}
        </ul>
      )}
      {withTail && status.stderrTail.length > 0 && (
        <pre
          className="say-tail scroll"
          tabIndex={0}
          role="region"
          aria-label="Last lines of stderr"
        >
          {status.stderrTail.join('\n')}
        </pre>
      )}
    </div>
  )
}

function actionsOf(server: ServerView, suggested: SuggestedAction | null): SuggestedAction[] {
  const { status } = server
  if (status.kind === 'error' && status.code === 'CONFIG_INCOMPLETE') {
    const fields = status.fields.slice(0, MOST_FIELDS)
    if (fields.length > 0) {
      return fields.map(({ label, fieldKey }) => ({
        kind: 'fillIn',
        label: `Fill in ${label}`,
        fieldKey,
      }))
    }
  }
  // The bar of the page already holds Start.
  return suggested && suggested.kind !== 'start' ? [suggested] : []
}

/** The sentence of a server that is not simply ready, with its button. */
export function StatusSentence({
  server,
  now,
  withTail,
}: {
  readonly server: ServerView
  readonly now: number
  /** Whether the last stderr lines of a failure are shown here. */
  readonly withTail: boolean
}): JSX.Element | null {
  const { status } = server
  if (status.kind === 'ready') return null
  const { sentence, action } = statusWords(server, now)
  const actions = actionsOf(server, action)
  return (
    <div className={`say is-${status.kind}`}>
      <StatusGlyph status={status.kind} />
      {status.kind === 'error' ? (
        <FailureText status={status} withTail={withTail} />
      ) : (
        <p className="num">{sentence}</p>
      )}
      {actions.length > 0 && (
        <div className="say-actions">
          {actions.map((each, index) => (
            <SuggestedButton
              key={each.label}
              server={server}
              action={each}
              variant={index === 0 && status.kind === 'error' ? 'primary' : 'default'}
            />
          ))}
        </div>
      )}
    </div>
  )
}
