import clsx from 'clsx'
import { Copy, Play } from 'lucide-react'
import { type JSX, useState } from 'react'
import { Link } from 'wouter'

import {
  type FailedStatus,
  isFailed,
  type RunStatus,
  STATUS_WORD,
} from '../../../src-shared/domain/running/run-status'
import type { RunnerAdvice, RunnerSetup } from '../../../src-shared/domain/running/runner-advice'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { serverActions } from '../../components/server/actions'
import { LiveStatusText, NextRetry } from '../../components/server/live-status-text'
import { SuggestedButton } from '../../components/server/server-menu'
import {
  causeAction,
  formPath,
  type SuggestedAction,
  suggestedAction,
  VIEW_LOG,
} from '../../components/status/status-messages'
import { Button, ButtonLink, LearnMore } from '../../ui/controls/button'
import { Disclosure } from '../../ui/controls/disclosure'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { ConfirmDialog } from '../../ui/overlays/dialog'
import { ExternalLink } from '../../ui/overlays/external-link'
import { copyText } from '../../ui/saving/copy-text'
import { counted } from '../../ui/text/format'
import { linkText, safeLink } from '../../ui/text/safe-link'

type Server = Pick<ServerView, 'installationId' | 'name'>

function lineOf({ command, args }: RunnerSetup['steps'][number]): string {
  // Quoted for any shell: zsh expands a word that starts with = to a program.
  return [command, ...args.map((word) => (word.startsWith('=') ? `'${word}'` : word))].join(' ')
}

function copySteps({ steps }: RunnerSetup): void {
  copyText(
    steps.map(lineOf).join('\n'),
    steps.length === 1 ? 'Command copied.' : 'Commands copied.',
  )
}

function Steps(props: { readonly setup: RunnerSetup; readonly label: string }): JSX.Element {
  const { setup, label } = props
  return (
    <ol
      className="marked mt-2 rounded-lg border border-line bg-surface wrap-anywhere"
      aria-label={label}
      role="list"
    >
      {setup.steps.map((step) => (
        <li key={lineOf(step)} className="px-3 py-2">
          <code>{lineOf(step)}</code>
        </li>
      ))}
    </ol>
  )
}

function SetupDialog(props: {
  readonly server: Server
  readonly setup: RunnerSetup
  readonly onClose: () => void
}): JSX.Element {
  const { server, setup, onClose } = props
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${setup.title}?`}
      description={
        <p>
          Patchbay runs exactly {setup.steps.length === 1 ? 'this command' : 'these commands'} with
          your user permissions, then starts {server.name}. The log shows the output. {setup.note}
        </p>
      }
      confirmLabel={`Run and start ${server.name}`}
      danger={false}
      onConfirm={async () => {
        const isSent = await serverActions.setUp(server.installationId, setup.setupId)
        return isSent ? 'done' : 'failed'
      }}
    >
      <Steps setup={setup} label="Commands to run" />
    </ConfirmDialog>
  )
}

function SearchedFolders({
  lookedIn,
}: {
  readonly lookedIn: readonly string[]
}): JSX.Element | null {
  if (lookedIn.length === 0) return null
  return (
    <div>
      <Disclosure label={`Searched ${counted(lookedIn.length, 'place')}`}>
        <ul className="marked grid gap-1 wrap-anywhere text-muted">
          {lookedIn.map((place) => (
            <li key={place}>
              <code>{place}</code>
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  )
}

function RunnerAdviceView(props: {
  readonly server: Server
  readonly advice: RunnerAdvice
}): JSX.Element {
  const { server, advice } = props
  const { runner, found, setups, lookedIn } = advice
  const [pendingSetup, setPendingSetup] = useState<RunnerSetup | null>(null)
  return (
    <div className="bounded scroll mt-2 grid gap-3">
      {found !== undefined && (
        <p className="text-faint">
          Found {found.version} at <code>{found.path}</code>
        </p>
      )}
      {setups.map((setup) => {
        const { title, note, canRun } = setup
        return (
          <section key={setup.setupId} className="grid gap-1" aria-label={title}>
            <div className="flex flex-wrap items-center gap-2 gap-y-1">
              <h2 className="text-small font-medium text-muted">{title}</h2>
              {canRun && (
                <Button
                  size="small"
                  icon={Play}
                  aria-label={`Run: ${title}`}
                  onClick={() => setPendingSetup(setup)}
                >
                  Run…
                </Button>
              )}
              <Button
                size="small"
                variant="quiet"
                icon={Copy}
                aria-label={`Copy: ${title}`}
                onClick={() => copySteps(setup)}
              >
                Copy
              </Button>
            </div>
            <Steps setup={setup} label={title} />
            {note !== undefined && <p className="text-small text-faint">{note}</p>}
          </section>
        )
      })}
      {runner !== undefined && (
        <div>
          <ButtonLink size="small" href={`/settings?runner=${runner}`}>
            Set {runner} path
          </ButtonLink>
        </div>
      )}
      <SearchedFolders lookedIn={lookedIn} />
      {pendingSetup !== null && (
        <SetupDialog server={server} setup={pendingSetup} onClose={() => setPendingSetup(null)} />
      )}
    </div>
  )
}

function FailureHeader({ status }: { readonly status: FailedStatus }): JSX.Element {
  const { cause, code } = status
  // A known cause says more than general advice.
  const message = cause?.message ?? status.message
  const hint = cause ? status.message : status.fields.length === 0 && status.hint
  const codeTag = (
    <>
      <code className="ms-2 text-micro text-faint">{code}</code>{' '}
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
        <p className="tabular-nums">
          <NextRetry status={status} />
        </p>
      )}
    </>
  )
}

/** Returns the step that helps. Retry and Cancel are in the header, and the last log lines link to the log. */
function stepOf(status: RunStatus): SuggestedAction | null {
  const step = causeAction(status) ?? suggestedAction(status)
  if (step?.kind !== 'retry') return step?.kind === 'cancel' ? null : step
  return isFailed(status) && status.stderrTail.length === 0 ? VIEW_LOG : null
}

function isLong(status: RunStatus): boolean {
  return isFailed(status) && (status.fields.length > 0 || status.advice !== undefined)
}

/** The notice of a server that failed, waits for a sign-in or works with warnings, with the step that helps. */
export function StatusNotice({ server }: { readonly server: ServerView }): JSX.Element {
  const { status } = server
  const step = stepOf(status)
  return (
    <div
      className={clsx(
        `say banner tint flex flex-wrap gap-2 is-${status.kind}`,
        isLong(status) ? 'items-start' : 'items-center',
      )}
    >
      <StatusGlyph status={status.kind} />
      {isFailed(status) ? (
        <div className="grid min-w-0 flex-1 gap-1 text-pretty wrap-anywhere">
          <FailureHeader status={status} />
          {status.fields.length > 0 && (
            <ul className="text-muted">
              {status.fields.map(({ fieldKey, label, message }) => (
                <li key={fieldKey}>
                  <Link
                    href={`/servers/${server.installationId}/${formPath(fieldKey)}`}
                    className="underlined"
                  >
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
        </div>
      ) : (
        <div className="grid min-w-0 flex-1 gap-1 text-pretty wrap-anywhere tabular-nums">
          <p>
            {status.kind === 'awaitingSignIn' && <b>{STATUS_WORD.awaitingSignIn}. </b>}
            <LiveStatusText server={server} part="message" />
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

/** The sign-in page that a start waits for, and the code to enter there. */
function AwaitedSignIn({ status: { url, code } }: Props): JSX.Element {
  const link = safeLink(url)
  const shownLink = link && <ExternalLink url={link} text={linkText(link)} writer="The server" />
  const facts = [
    { name: 'Link', text: url, shown: shownLink ?? <code>{url}</code> },
    {
      name: 'Code',
      text: code,
      shown: <code className="font-medium text-foreground">{code}</code>,
    },
  ]
  return (
    <dl className="grid gap-1 text-muted">
      {facts.map(
        ({ name, text, shown }) =>
          text !== undefined && (
            <div key={name} className="flex flex-wrap items-center gap-2">
              <dt>{name}</dt>
              <dd className="flex flex-wrap items-center gap-2 wrap-anywhere">
                {shown}
                <Button size="small" onClick={() => copyText(text, `${name} copied.`)}>
                  Copy {name.toLowerCase()}
                </Button>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
