import '../servers.css'

import clsx from 'clsx'
import { type CSSProperties, type JSX, type ReactNode, useState } from 'react'
import { Link } from 'wouter'

import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import type { ProtocolFaults } from '../../../../src-shared/domain/running/protocol-faults'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import { CUSTOM_ENTRY, OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { phaseInterval } from '../../../components/server/live-status-text'
import {
  type PhaseAppearance,
  phaseViews,
  startDuration,
} from '../../../components/server/phase-times'
import { PHASE_LABEL } from '../../../components/status/status-messages'
import { call } from '../../../ipc/call'
import { errorText } from '../../../ipc/show-failure'
import { useApp, useNow } from '../../../stores/app-store'
import { usePickPath } from '../../../stores/pick-path'
import { Button, ButtonLink, LearnMore } from '../../../ui/controls/button'
import { WarnText } from '../../../ui/fields/field'
import { ScrollRegion } from '../../../ui/layout/page'
import { type FactList, Facts, SectionHeader } from '../../../ui/layout/section'
import { Moment } from '../../../ui/marks/moment'
import { FoldersDialog } from '../../../ui/overlays/folders-dialog'
import { counted, formatCount, formatDuration, formatTime } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { shortName, visibleText } from '../../../ui/text/untrusted-text'
import { StartPolicyChoice } from '../choices'
import { HistoryRow, useHistory } from '../history/history-row'

function Folders({ server }: { readonly server: ServerView }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const { installationId, name, roots, serverRequests } = server
  const pickFolder = usePickPath('folder')
  return (
    <div className="facts grid items-baseline text-faint">
      <span id="roots-label">Folders</span>
      <div className="grid min-w-0 justify-items-start gap-1">
        {roots.length > 0 && (
          <ul className="grid gap-1 text-foreground" aria-labelledby="roots-label">
            {roots.map((root) => (
              <li key={root}>
                <code>{visibleText(root)}</code>
              </li>
            ))}
          </ul>
        )}
        <Button size="small" aria-describedby="roots-label" onClick={() => setIsOpen(true)}>
          {roots.length > 0 ? 'Change folders' : 'Choose folders'}
        </Button>
        <WarnText>
          {serverRequests.roots && roots.length === 0
            ? `${name} asked for folders, but none are shared.`
            : undefined}
        </WarnText>
        <p className="mt-1 text-small text-muted">
          Shared as MCP roots. This isn’t a sandbox: the server can access anything you can.
        </p>
      </div>
      {isOpen && (
        <FoldersDialog
          title={`Folders of ${name}`}
          description={`Patchbay sends these folders to ${name} as MCP roots. Changes apply immediately.`}
          placeholder="/home/you/projects"
          folders={roots}
          pickFolder={pickFolder}
          onSave={(wanted) =>
            call('roots.set', { installationId, roots: wanted }).then(() => undefined, errorText)
          }
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}

const SHOWN = 6

/** The last events of a server: starts with their steps, failures with their message; nothing without events. */
function RecentEvents({ server }: { readonly server: ServerView }): JSX.Element | null {
  const now = useNow(60_000)
  const { data } = useHistory(server)
  if (data === undefined || data.total === 0) return null
  return (
    <section aria-labelledby="recent-events">
      <SectionHeader id="recent-events" title="Recent events">
        <a className="underlined" href={`#/servers/${server.installationId}/history`}>
          History
        </a>
      </SectionHeader>
      <ol className="history-list is-recent *:py-2" aria-label="Recent events, newest first">
        {data.events.slice(0, SHOWN).map((event) => (
          <HistoryRow key={event.eventId} event={event} now={now} />
        ))}
      </ol>
    </section>
  )
}

const FAULT_LABELS: Readonly<Record<keyof ProtocolFaults, readonly [one: string, many: string]>> = {
  noiseLines: ['invalid line', 'invalid lines'],
  decoratedLines: [
    'message with colors or a byte order mark',
    'messages with colors or a byte order mark',
  ],
  batches: ['batch', 'batches'],
  oversizedMessages: ['message over the size limit', 'messages over the size limit'],
  malformedMessages: ['malformed message', 'malformed messages'],
  malformedAnswers: ['malformed answer', 'malformed answers'],
  unknownAnswers: ['unexpected answer', 'unexpected answers'],
  duplicateAnswers: ['duplicate answer', 'duplicate answers'],
  lateAnswers: ['late answer', 'late answers'],
  repairs: ['repair', 'repairs'],
}

/** Returns the protocol faults since a server's start in one line: "2 lines ignored, 1 late answer"; empty if none. */
export function faultText(faults: ProtocolFaults): string {
  return (Object.keys(FAULT_LABELS) as (keyof ProtocolFaults)[])
    .filter((fault) => faults[fault] > 0)
    .map(
      (fault) =>
        `${formatCount(faults[fault])} ${FAULT_LABELS[fault][faults[fault] === 1 ? 0 : 1]}`,
    )
    .join(', ')
}

/** Returns where a server's secrets are: its own ones, and the shared ones by name; empty if it has none. */
function secretText(
  { installationId, hasSecrets }: ServerView,
  stored: readonly StoredSecretView[],
): string {
  const names = stored
    .filter(({ uses }) => uses.some((use) => use.installationId === installationId))
    .map(({ name }) => name)
  const saved = hasSecrets ? ['Saved with this server'] : []
  return [...saved, ...names.map((name) => `shared secret ${name}`)].join('; ')
}

function samplingText(count: number): string {
  return `Sampling, ${counted(count, 'time')}. Patchbay doesn’t support sampling.`
}

/** Returns the origin of a server. A custom server has no registry. */
function originFacts(server: ServerView): FactList {
  const { identifier, packageVersion, registryType, entryName, entryVersion } = server
  const isOwn = registryType === OWN_COMMAND
  const what = (
    <span className="flex flex-wrap items-center gap-3">
      <code>{identifier}</code>
      <ButtonLink size="small" href={`/servers/${server.installationId}/configure`}>
        Edit
      </ButtonLink>
    </span>
  )
  if (entryName === CUSTOM_ENTRY)
    return { [isOwn ? 'Command' : 'Address']: what, Source: 'Added manually' }
  const Transport = TRANSPORTS.get(registryType)
  const name = <code>{entryName}</code>
  if (Transport !== undefined)
    return { Address: what, Transport, Source: name, Version: entryVersion }
  return {
    Package: what,
    Source: (
      <>
        {isOwn ? 'bundle' : registryType}, {name}
      </>
    ),
    Version: packageVersion ?? (isOwn ? entryVersion : 'latest at every start'),
  }
}

/** Labels for remotes, which have no package version. */
const TRANSPORTS: ReadonlyMap<string, string> = new Map([
  ['streamable-http', 'Streamable HTTP'],
  ['sse', 'HTTP with SSE'],
])

function factsOf(server: ServerView, stored: readonly StoredSecretView[]): FactList {
  const { pid, protocolVersion, serverVersion, packageVersion, faults, serverRequests } = server
  const origin = originFacts(server)
  const against = faultText(faults)
  return {
    ...origin,
    Secrets: secretText(server, stored),
    'Sign-in': server.signedIn === true && signedInText(server),
    ['Version' in origin ? 'Reported version' : 'Version']:
      serverVersion !== packageVersion && shortName(serverVersion ?? ''),
    Protocol: protocolVersion,
    Process: pid,
    Unsupported: serverRequests.sampling > 0 && samplingText(serverRequests.sampling),
    'Protocol errors': against && `${against}.`,
  }
}

function StartProgress({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { status, phases, installationId } = server
  const lines = isFailed(status) ? status.stderrTail : []
  if (status.kind !== 'starting' && !isFailed(status)) return null
  return (
    <>
      <PhaseTimeline phases={phases} />
      {lines.length > 0 && (
        <section aria-labelledby="last-lines">
          <SectionHeader id="last-lines" title="Last lines">
            <Link className="underlined" href={`/servers/${installationId}/log`}>
              Open log
            </Link>
          </SectionHeader>
          <ScrollRegion
            as="pre"
            className="max-h-[min(9rem,24vh)] rounded-lg border border-line bg-inset px-3 py-2 leading-log wrap-anywhere whitespace-pre-wrap text-muted"
            label="Last lines of stderr"
          >
            {lines.join('\n')}
          </ScrollRegion>
        </section>
      )}
    </>
  )
}

/** The recent events of a server, its facts, origin and metrics. */
export function Overview(props: {
  readonly server: ServerView
  readonly notices: ReactNode
  /** The metrics, rendered by another feature. */
  readonly metrics: ReactNode
}): JSX.Element {
  const { server, notices, metrics } = props
  const stored = useApp((state) => state.app?.secrets.stored)
  return (
    <ScrollRegion className="tab-body @container/overview min-h-0 flex-1" label="Overview">
      {notices}
      <div className="tab-inner grid gap-6">
        <StartProgress server={server} />
        <div className="overview grid items-start gap-5">
          <div className="grid min-w-0 gap-5">
            {server.description !== '' && (
              <PlainText className="text-lead" text={server.description} />
            )}
            <StartPolicyChoice server={server} />
            <Folders server={server} />
            <Facts facts={factsOf(server, stored ?? [])} />
          </div>
          <div className="grid min-w-0 gap-5">
            <RecentEvents server={server} />
            <ProtocolWarnings server={server} />
          </div>
        </div>
        {metrics}
      </div>
    </ScrollRegion>
  )
}

function signedInText({ signInEndsAt: at }: ServerView): string {
  return at === undefined
    ? 'Signed in'
    : `Signed in until ${formatTime(at)}. The provider gave no lasting sign-in.`
}

/** The protocol violations of a server since its last start, newest first; nothing without any. */
export function ProtocolWarnings({ server }: { readonly server: ServerView }): JSX.Element | null {
  const now = useNow(60_000)
  const warnings = server.protocolWarnings.toReversed()
  if (warnings.length === 0) return null
  return (
    <section aria-labelledby="protocol-warnings">
      <SectionHeader id="protocol-warnings" title="Protocol warnings" />
      <ol className="protocol-warnings *:py-2" aria-label="Protocol warnings, newest first">
        {warnings.map(({ kind, message, count, lastAt }) => (
          <li key={message} className="grid items-baseline gap-3 gap-y-0 border-b border-line">
            <PlainText text={message} />
            <span className="text-faint tabular-nums">{counted(count, 'time')}</span>
            <Moment at={lastAt} now={now} className="text-faint tabular-nums" />
            <LearnMore topic={kind} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const PHASE_CLASSES: Record<PhaseAppearance, readonly [step: string, time: string]> = {
  quick: ['text-muted ph-quick', 'text-faint'],
  long: ['text-muted ph-long', 'font-medium text-foreground'],
  live: ['text-status is-starting', ''],
  bad: ['text-status is-error', ''],
  rest: ['text-faint ph-rest', ''],
}

type Columns = CSSProperties & { readonly '--cols': string }

/** The steps of a running or failed start: width is time. */
function PhaseTimeline({ phases }: { readonly phases: ServerView['phases'] }): JSX.Element | null {
  const now = useNow(phaseInterval(phases))
  if (phases.length === 0) return null
  const views = phaseViews(phases, now)
  const total = Math.max(1, startDuration(phases, now))
  const columns: Columns = {
    '--cols': views
      .map(({ ms }) => `minmax(4.125rem, ${(10 * Math.max(0.08, ms / total)).toFixed(2)}fr)`)
      .join(' '),
  }
  const span = formatDuration(startDuration(phases, now))
  return (
    <ol
      className="timeline grid grid-cols-(--cols) gap-[3px]"
      aria-label={`Phases of the newest start, ${span} in all`}
      style={columns}
    >
      {views.map(({ phase, look: appearance, text }) => (
        <li key={phase} className={clsx('grid text-small', PHASE_CLASSES[appearance][0])}>
          {PHASE_LABEL[phase]}
          <span className={clsx('tabular-nums', PHASE_CLASSES[appearance][1])}>{text}</span>
        </li>
      ))}
    </ol>
  )
}
