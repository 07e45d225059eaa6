import './vet.css'

import { CheckCircle2, CircleDashed, LoaderCircle } from 'lucide-react'
import { type JSX, useState } from 'react'

import { byWeight, levelLabel } from '../../../src-shared/domain/vet/vet-markdown'
import {
  type VetCheck,
  type VetGroup,
  vetHeadline,
  type VetReport,
} from '../../../src-shared/domain/vet/vet-report'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { useRequest } from '../../ipc/use-request'
import { Select } from '../../ui/controls/choice'
import { SectionHeader } from '../../ui/layout/section'
import { Tag } from '../../ui/marks/tag'
import { formatDay, formatTime } from '../../ui/text/format'
import { escapeInvisible } from '../../ui/text/untrusted-text'

function Evidence({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  return (
    <div className="grid min-w-0 gap-1">
      <span className="text-small text-faint">{label}</span>
      <pre
        className="scroll max-h-56 rounded-lg border border-line bg-inset px-3 py-2 text-small wrap-anywhere whitespace-pre-wrap"
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        {escapeInvisible(text)}
      </pre>
    </div>
  )
}

function createdText(startedAt: string): string {
  const at = Date.parse(startedAt)
  return `${formatDay(at)}, ${formatTime(at)}`
}

const TONES = { must: 'warn', should: 'accent', note: 'plain' } as const

function QuietChecks(props: {
  readonly id: string
  readonly title: string
  readonly checks: readonly VetCheck[]
}): JSX.Element | null {
  const { id, title, checks } = props
  if (checks.length === 0) return null
  const Icon = checks[0]?.outcome === 'passed' ? CheckCircle2 : CircleDashed
  return (
    <section aria-labelledby={id}>
      <SectionHeader id={id} title={title} count={checks.length} />
      <ul className="grid gap-2">
        {checks.map(({ id: checkId, group, title: text, reason, restart }) => (
          <li key={checkId} className="flex items-baseline gap-2">
            <Icon className="icon flex-none text-faint" aria-hidden />
            <span className="min-w-0 wrap-anywhere">
              {text}
              {reason !== undefined && (
                <span className="text-muted"> {escapeInvisible(reason)}</span>
              )}
              {restart !== undefined && <span className="text-muted"> {restart}</span>}
            </span>
            <span className="min-w-0 flex-1" />
            <span className="flex-none text-small text-faint">{GROUP_LABELS[group]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const CHANGE_LABELS: Readonly<Record<ReportChange['kind'], string>> = {
  new: 'New',
  fixed: 'Fixed',
  changed: 'Changed',
}

function Comparison(props: {
  readonly report: VetReport
  readonly others: readonly VetReport[]
}): JSX.Element | null {
  const { report, others: otherReports } = props
  const [chosen, setChosen] = useState('0')
  const before = otherReports[Number(chosen)] ?? otherReports[0]
  if (!before) return null
  const changes = changesBetween(before, report)
  return (
    <section aria-labelledby="vet-comparison">
      <SectionHeader id="vet-comparison" title="Changes" />
      <div className="mb-2 flex items-center gap-2">
        <span className="flex-none text-muted">Compared with</span>
        <Select
          aria-label="Compared with"
          value={chosen}
          onValueChange={setChosen}
          options={otherReports.map(({ server, startedAt }, index) => ({
            value: String(index),
            label: `${server.version ?? 'No version'}, ${createdText(startedAt)}`,
          }))}
        />
      </div>
      {changes.length === 0 ? (
        <p className="text-muted">The same checks pass.</p>
      ) : (
        <ul className="grid gap-2">
          {changes.map(({ id, title, kind }) => (
            <li key={id} className="flex items-baseline gap-2">
              <Tag tone={kind === 'fixed' ? 'ready' : 'warn'}>{CHANGE_LABELS[kind]}</Tag>
              <span className="min-w-0 wrap-anywhere">{title}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A report: counts, findings with evidence, changes since another version, and passed checks. */
export function VetReportView(props: {
  readonly report: VetReport
  readonly others: readonly VetReport[]
}): JSX.Element {
  const { report, others: otherReports } = props
  const { checks, server, startedAt, system, command } = report
  const of = (outcome: VetCheck['outcome']): VetCheck[] =>
    checks.filter((check) => check.outcome === outcome)
  return (
    <div className="grid gap-6">
      <div className="grid gap-2">
        <h2 className="text-title">{vetHeadline(report)}</h2>
        <p className="text-muted">
          {server.version === undefined ? '' : `Version ${server.version}, `}
          {createdText(startedAt)}, {system}
        </p>
        <Evidence label="Command" text={command} />
      </div>
      {byWeight(checks).map((check) => {
        const { id, title, level, findings, moreFindings, restart } = check
        return (
          <section
            key={id}
            className="grid gap-3 rounded-lg border border-line px-3 py-2"
            aria-labelledby={`vet-${id}`}
          >
            <div className="flex flex-wrap items-center gap-2">
              <Tag tone={TONES[level]}>{levelLabel(check)}</Tag>
              <h3 id={`vet-${id}`} className="font-medium">
                {title}
              </h3>
              <span className="min-w-0 flex-1" />
              <code className="text-small text-faint">{id}</code>
            </div>
            <ul className="grid gap-4">
              {findings.map(({ message, sent, received, fix }, index) => (
                <li key={`${String(index)} ${message}`} className="grid min-w-0 gap-2">
                  <p className="wrap-anywhere">{escapeInvisible(message)}</p>
                  {sent !== undefined && <Evidence label="Sent" text={sent} />}
                  {received !== undefined && <Evidence label="Received" text={received} />}
                  <p className="text-muted">{fix}</p>
                </li>
              ))}
            </ul>
            {moreFindings > 0 && <p className="text-muted">And {moreFindings} more.</p>}
            {restart !== undefined && <p className="text-muted">{restart}</p>}
          </section>
        )
      })}
      <Comparison report={report} others={otherReports} />
      <QuietChecks id="vet-passed" title="Checked and fine" checks={of('passed')} />
      <QuietChecks id="vet-skipped" title="Not checked" checks={of('notChecked')} />
    </div>
  )
}

const PROGRESS_MS = 500

/** The progress of the checks, by group. */
export function VetProgressView(props: {
  readonly subject: RequestInput<'vet.progress'>
}): JSX.Element {
  const { subject } = props
  const { value } = useRequest('vet.progress', subject, { pollMs: PROGRESS_MS })
  const { done = 0, of = 1, group, groups = [] } = value ?? {}
  return (
    <div className="grid gap-4">
      <div className="grid gap-2" role="status">
        <p>
          {group === undefined ? 'Starting the server' : GROUP_LABELS[group]}
          <span className="text-faint tabular-nums">
            {' '}
            {value ? `${String(done)} of ${String(of)}` : ''}
          </span>
        </p>
        <progress
          className="vet-progress w-full appearance-none bg-press"
          max={of}
          value={done}
          aria-label="Checks done"
        />
      </div>
      <ul className="grid gap-2">
        {groups.map((one) => {
          const isRunning = one.group === group
          const Icon = one.done === one.of ? CheckCircle2 : isRunning ? LoaderCircle : CircleDashed
          return (
            <li
              key={one.group}
              className="flex items-center gap-2"
              aria-current={isRunning ? 'step' : undefined}
            >
              <Icon
                className={isRunning ? 'icon spin flex-none' : 'icon flex-none text-faint'}
                aria-hidden
              />
              <span className={isRunning ? 'font-medium' : 'text-muted'}>
                {GROUP_LABELS[one.group]}
              </span>
              <span className="text-small text-faint tabular-nums">
                {one.done} of {one.of}
              </span>
            </li>
          )
        })}
      </ul>
      <p className="text-muted">
        The server is started a few times.
        {'installationId' in subject && ' The one that your apps use goes on.'}
      </p>
    </div>
  )
}

const GROUP_LABELS: Readonly<Record<VetGroup, string>> = {
  package: 'Package',
  start: 'Start',
  protocol: 'Protocol',
  tools: 'Tools for models',
  errors: 'Errors',
  end: 'End',
  reach: 'Reach',
  secrets: 'Secrets',
}

type ReportChange = {
  readonly id: string
  readonly title: string
  readonly kind: 'new' | 'fixed' | 'changed'
}

/** Returns the checks with different findings in two reports; ignores checks that were skipped in either. */
export function changesBetween(before: VetReport, after: VetReport): ReportChange[] {
  const earlier = new Map(before.checks.map((check) => [check.id, check]))
  return after.checks.flatMap(({ id, title, outcome, findings }): ReportChange[] => {
    const was = earlier.get(id)
    if (!was || outcome === 'notChecked' || was.outcome === 'notChecked') return []
    if (outcome !== was.outcome) return [{ id, title, kind: outcome === 'found' ? 'new' : 'fixed' }]
    const texts = (list: typeof findings): string => list.map(({ message }) => message).join('\n')
    return texts(findings) === texts(was.findings) ? [] : [{ id, title, kind: 'changed' }]
  })
}
