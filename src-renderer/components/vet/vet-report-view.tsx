import './vet.css'

import { CheckCircle2, CircleDashed } from 'lucide-react'
import { type JSX, useState } from 'react'

import { byWeight, levelLabel } from '../../../src-shared/domain/vet/vet-markdown'
import {
  type VetCheck,
  vetHeadline,
  type VetReport,
} from '../../../src-shared/domain/vet/vet-report'
import { Select } from '../../ui/controls/select'
import { PartHead } from '../../ui/layout/section'
import { Tag } from '../../ui/marks/tag'
import { formatDay, formatTime } from '../../ui/text/format'
import { writtenOut } from '../../ui/text/visible-text'
import { changesBetween, GROUP_LABELS, type ReportChange } from './vet-progress-view'

function Evidence({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  return (
    <div className="stack gap-1 slim">
      <span className="small faint">{label}</span>
      <pre
        className="vet-evidence well box pad-row small scroll"
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        {writtenOut(text)}
      </pre>
    </div>
  )
}

function madeAt(startedAt: string): string {
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
      <PartHead id={id} title={title} count={checks.length} />
      <ul className="vet-quiet stack gap-2">
        {checks.map(({ id: checkId, group, title: text, reason, restart }) => (
          <li key={checkId} className="row gap-2 at-base">
            <Icon className="icon fixed faint" aria-hidden />
            <span className="slim break">
              {text}
              {reason !== undefined && <span className="soft"> {writtenOut(reason)}</span>}
              {restart !== undefined && <span className="soft"> {restart}</span>}
            </span>
            <span className="grow" />
            <span className="small faint fixed">{GROUP_LABELS[group]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const CHANGE_WORDS: Readonly<Record<ReportChange['kind'], string>> = {
  new: 'New',
  fixed: 'Fixed',
  changed: 'Changed',
}

function Comparison(props: {
  readonly report: VetReport
  readonly others: readonly VetReport[]
}): JSX.Element | null {
  const { report, others } = props
  const [chosen, setChosen] = useState('0')
  const before = others[Number(chosen)] ?? others[0]
  if (!before) return null
  const changes = changesBetween(before, report)
  return (
    <section aria-labelledby="vet-comparison">
      <PartHead id="vet-comparison" title="Changes" />
      <div className="row gap-2 below-2">
        <span className="soft fixed">Compared with</span>
        <Select
          aria-label="Compared with"
          value={chosen}
          onValueChange={setChosen}
          options={others.map(({ server, startedAt }, index) => ({
            value: String(index),
            label: `${server.version ?? 'No version'}, ${madeAt(startedAt)}`,
          }))}
        />
      </div>
      {changes.length === 0 ? (
        <p className="soft">The same checks pass.</p>
      ) : (
        <ul className="stack gap-2">
          {changes.map(({ id, title, kind }) => (
            <li key={id} className="row gap-2 at-base">
              <Tag tone={kind === 'fixed' ? 'ready' : 'warn'}>{CHANGE_WORDS[kind]}</Tag>
              <span className="slim break">{title}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A report: its counts, findings with evidence, what changed since another version, and what passed. */
export function VetReportView(props: {
  readonly report: VetReport
  readonly others: readonly VetReport[]
}): JSX.Element {
  const { report, others } = props
  const { checks, server, startedAt, system, command } = report
  const of = (outcome: VetCheck['outcome']): VetCheck[] =>
    checks.filter((check) => check.outcome === outcome)
  return (
    <div className="stack gap-6">
      <div className="stack gap-2">
        <h2 className="title">{vetHeadline(report)}</h2>
        <p className="soft">
          {server.version === undefined ? '' : `Version ${server.version}, `}
          {madeAt(startedAt)}, {system}
        </p>
        <Evidence label="Command" text={command} />
      </div>
      {byWeight(checks).map((check) => {
        const { id, title, level, findings, moreFindings, restart } = check
        return (
          <section
            key={id}
            className="vet-check box pad-row stack gap-3"
            aria-labelledby={`vet-${id}`}
          >
            <div className="row wrap gap-2">
              <Tag tone={TONES[level]}>{levelLabel(check)}</Tag>
              <h3 id={`vet-${id}`} className="medium">
                {title}
              </h3>
              <span className="grow" />
              <code className="small faint">{id}</code>
            </div>
            <ul className="stack gap-4">
              {findings.map(({ message, sent, received, fix }, index) => (
                <li key={`${String(index)} ${message}`} className="stack gap-2 slim">
                  <p className="break">{writtenOut(message)}</p>
                  {sent !== undefined && <Evidence label="Sent" text={sent} />}
                  {received !== undefined && <Evidence label="Received" text={received} />}
                  <p className="soft">{fix}</p>
                </li>
              ))}
            </ul>
            {moreFindings > 0 && <p className="soft">And {moreFindings} more.</p>}
            {restart !== undefined && <p className="soft">{restart}</p>}
          </section>
        )
      })}
      <Comparison report={report} others={others} />
      <QuietChecks id="vet-passed" title="Checked and fine" checks={of('passed')} />
      <QuietChecks id="vet-skipped" title="Not checked" checks={of('notChecked')} />
    </div>
  )
}
