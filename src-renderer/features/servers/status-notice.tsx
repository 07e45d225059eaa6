import clsx from 'clsx'
import type { JSX } from 'react'
import { Link } from 'wouter'

import {
  type FailedStatus,
  isFailed,
  type RunStatus,
} from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { LiveWords, NextTry } from '../../components/server/live-words'
import { SuggestedButton } from '../../components/server/suggested-button'
import { STATUS_WORD } from '../../components/status/status-messages'
import {
  causeAction,
  formPlace,
  type SuggestedAction,
  suggestedAction,
  VIEW_LOG,
} from '../../components/status/suggested-action'
import { Button } from '../../ui/controls/button'
import { LearnMore } from '../../ui/controls/learn-more'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { ExternalLink } from '../../ui/overlays/external-link'
import { copyText } from '../../ui/saving/copy-text'
import { linkText, safeLink } from '../../ui/text/safe-link'
import { RunnerAdviceView } from './runner-advice'

type Failed = { readonly server: ServerView; readonly status: FailedStatus }

function FailedFields({ server, status }: Failed): JSX.Element | null {
  if (status.fields.length === 0) return null
  return (
    <ul className="soft">
      {status.fields.map(({ fieldKey, label, message }) => (
        <li key={fieldKey}>
          <Link
            href={`/servers/${server.installationId}/${formPlace(fieldKey)}`}
            className="underlined"
          >
            {label}
          </Link>
          : {message}
        </li>
      ))}
    </ul>
  )
}

/** What failed, its code, and what comes next: by itself, or by a user. */
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

/** What failed, the fields to correct, and how to get a runtime that is missing. */
function FailureText({ server, status }: Failed): JSX.Element {
  return (
    <div className="grow stack gap-1 break pretty">
      <FailureHead status={status} />
      <FailedFields server={server} status={status} />
      {status.advice && (
        <RunnerAdviceView key={server.statusSince} server={server} advice={status.advice} />
      )}
    </div>
  )
}

/** The step that helps; another try and Cancel are in the header, and the last lines lead to the log. */
function stepOf(status: RunStatus): SuggestedAction | null {
  const step = causeAction(status) ?? suggestedAction(status)
  if (step?.kind !== 'retry') return step?.kind === 'cancel' ? null : step
  return isFailed(status) && status.stderrTail.length === 0 ? VIEW_LOG : null
}

function isLong(status: RunStatus): boolean {
  return isFailed(status) && (status.fields.length > 0 || status.advice !== undefined)
}

/** Of a server that failed, waits for a sign-in or works with warnings: the sentence, and the step that helps. */
export function StatusNotice({ server }: { readonly server: ServerView }): JSX.Element {
  const { status } = server
  const step = stepOf(status)
  return (
    <div
      className={clsx(
        `say banner tint row gap-2 wrap is-${status.kind}`,
        isLong(status) && 'at-top',
      )}
    >
      <StatusGlyph status={status.kind} />
      {isFailed(status) ? (
        <FailureText server={server} status={status} />
      ) : (
        <div className="num grow stack gap-1 pretty break">
          <p>
            {status.kind === 'awaitingSignIn' && <b>{STATUS_WORD.awaitingSignIn}. </b>}
            <LiveWords server={server} part="sentence" />
          </p>
          {status.kind === 'awaitingSignIn' && <AwaitedSignIn status={status} />}
        </div>
      )}
      {step && (
        <SuggestedButton
          server={server}
          action={step}
          variant={status.kind === 'degraded' || step === VIEW_LOG ? 'default' : 'primary'}
        />
      )}
    </div>
  )
}

type Props = { readonly status: Extract<RunStatus, { kind: 'awaitingSignIn' }> }

/** Where a user signs in so that a start goes on, and the code to enter there. */
function AwaitedSignIn({ status: { url, code } }: Props): JSX.Element {
  const link = safeLink(url)
  return (
    <dl className="stack gap-1 soft">
      {url !== undefined && (
        <div className="row wrap gap-2">
          <dt>Link</dt>
          <dd className="row wrap gap-2 break">
            {link ? (
              <ExternalLink url={link} text={linkText(link)} writer="The server" />
            ) : (
              <code>{url}</code>
            )}
            <Button size="small" onClick={() => copyText(url, 'Link copied.')}>
              Copy link
            </Button>
          </dd>
        </div>
      )}
      {code !== undefined && (
        <div className="row wrap gap-2">
          <dt>Code</dt>
          <dd className="row wrap gap-2 break">
            <code className="medium ink">{code}</code>
            <Button size="small" onClick={() => copyText(code, 'Code copied.')}>
              Copy code
            </Button>
          </dd>
        </div>
      )}
    </dl>
  )
}
