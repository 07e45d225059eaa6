import type { JSX } from 'react'
import { Link } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/app-state'
import type { RunStatus } from '../../../src-shared/domain/run-status'
import { fieldPlace, SuggestedButton } from '../../server-parts/suggested-button'
import { StatusGlyph } from '../../ui/status-glyph'
import { statusWords } from '../../ui/status-words'
import { RunnerAdviceView } from './runner-advice'

type Failure = Extract<RunStatus, { kind: 'error' }>

function FailureText({
  server,
  status,
  withTail,
}: {
  readonly server: ServerView
  readonly status: Failure
  readonly withTail: boolean
}): JSX.Element {
  const { installationId } = server
  return (
    <div className="say-text">
      <p>
        <b>{status.message}</b> {status.fields.length === 0 && status.hint}
        <code className="say-code">{status.code}</code>
      </p>
      {status.fields.length > 0 && (
        <ul className="say-fields">
          {status.fields.map(({ fieldKey, label, message }) => (
            <li key={fieldKey}>
              <Link href={fieldPlace(installationId, fieldKey)} className="inline-link">
                {label}
              </Link>
              : {message}
            </li>
          ))}
        </ul>
      )}
      {status.advice && (
        <RunnerAdviceView key={server.statusSince} server={server} advice={status.advice} />
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
  return (
    <div className={`say is-${status.kind}`}>
      <StatusGlyph status={status.kind} />
      {status.kind === 'error' ? (
        <FailureText server={server} status={status} withTail={withTail} />
      ) : (
        <p className="num">{sentence}</p>
      )}
      {/* The bar of the page already holds Start. */}
      {action && action.kind !== 'start' && (
        <SuggestedButton
          server={server}
          action={action}
          variant={status.kind === 'error' ? 'primary' : 'default'}
        />
      )}
    </div>
  )
}
