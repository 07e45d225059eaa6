import clsx from 'clsx'
import type { JSX } from 'react'
import { Link } from 'wouter'

import type { FailedStatus, RunStatus } from '../../../src-shared/domain/running/run-status'
import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { LiveWords, NextTry } from '../../components/server/live-words'
import { fieldPlace, SuggestedButton } from '../../components/server/suggested-button'
import { ButtonLink } from '../../ui/controls/button'
import { LearnMore } from '../../ui/controls/learn-more'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { STATUS_WORD } from '../../ui/text/status-messages'
import { causeAction, suggestedAction } from '../../ui/text/suggested-action'
import { AwaitedSignIn } from './awaited-sign-in'
import { RunnerAdviceView } from './runner-advice'

type Failed = { readonly server: ServerView; readonly status: FailedStatus }

function FailedFields({ server, status }: Failed): JSX.Element | null {
  if (status.fields.length === 0) return null
  return (
    <ul className="soft">
      {status.fields.map(({ fieldKey, label, message }) => (
        <li key={fieldKey}>
          <Link href={fieldPlace(server.installationId, fieldKey)} className="underlined">
            {label}
          </Link>
          : {message}
        </li>
      ))}
    </ul>
  )
}

/** What failed, its code, and what comes next: by itself, or by a person. */
function FailureHead({ status }: { readonly status: FailedStatus }): JSX.Element {
  const { cause, code } = status
  // A cause that is known says more than what to do in general.
  const message = cause?.sentence ?? status.message
  const hint = cause ? status.message : status.fields.length === 0 && status.hint
  const codeTag = (
    <>
      <code className="after-2 faint micro">{code}</code>{' '}
      <LearnMore topic={cause?.causeId ?? code} />
    </>
  )
  if (status.kind === 'paused')
    return (
      <>
        <p>
          <b>{status.reason}</b>
        </p>
        <p>
          {message} {hint}
          {codeTag}
        </p>
      </>
    )
  return (
    <>
      <p>
        <b>{message}</b> {hint}
        {codeTag}
      </p>
      {status.kind === 'backingOff' && (
        <p className="num">
          <NextTry status={status} />
        </p>
      )}
    </>
  )
}

function FailureText({
  server,
  status,
  withTail,
}: Failed & { readonly withTail: boolean }): JSX.Element {
  return (
    <div className="grow stack gap-1 break pretty">
      <FailureHead status={status} />
      <FailedFields server={server} status={status} />
      {status.advice && (
        <RunnerAdviceView key={server.statusSince} server={server} advice={status.advice} />
      )}
      {withTail && status.stderrTail.length > 0 && (
        <pre
          className="say-tail pad-row above-1 soft break keep-lines surface scroll"
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

/** At the top where there is more to be said of it than its sentence. */
function edgeOf(status: RunStatus, withTail: boolean): 'at-top' | false {
  if (!isFailed(status)) return false
  const { fields, advice, stderrTail } = status
  const hasTail = withTail && stderrTail.length > 0
  return (fields.length > 0 || advice !== undefined || hasTail) && 'at-top'
}

/** Whether nothing goes on before a person does something. */
function isPressing(status: RunStatus): boolean {
  return isFailed(status) || status.kind === 'signInNeeded'
}

/** The sentence of a server that is not simply ready, with its button. */
export function StatusSentence({
  server,
  withTail,
}: {
  readonly server: ServerView
  /** Whether the last stderr lines of a failure are shown here. */
  readonly withTail: boolean
}): JSX.Element | null {
  const { status, installationId } = server
  if (status.kind === 'ready') return null
  const action = suggestedAction(status)
  const step = causeAction(status)
  return (
    <div
      className={clsx(
        `say banner tint row gap-2 wrap fixed is-${status.kind}`,
        edgeOf(status, withTail),
      )}
    >
      <StatusGlyph status={status.kind} />
      {isFailed(status) ? (
        <FailureText server={server} status={status} withTail={withTail} />
      ) : (
        <div className="num grow stack gap-1 pretty break">
          <p>
            {status.kind === 'awaitingSignIn' && <b>{STATUS_WORD.awaitingSignIn}. </b>}
            <LiveWords server={server} part="sentence" />
          </p>
          {status.kind === 'awaitingSignIn' && <AwaitedSignIn status={status} />}
        </div>
      )}
      <span className="row wrap gap-3 rows-2 to-end">
        {status.kind === 'paused' && withTail && step?.kind !== 'viewLog' && (
          <ButtonLink size="small" href={`/servers/${installationId}/log`}>
            View log
          </ButtonLink>
        )}
        {step && <SuggestedButton server={server} action={step} variant="primary" />}
        {/* The bar of the page already holds Start. */}
        {action && action.kind !== 'start' && (
          <SuggestedButton
            server={server}
            action={action}
            variant={isPressing(status) && !step ? 'primary' : 'default'}
          />
        )}
      </span>
    </div>
  )
}
