import './vet.css'

import { useQueryClient } from '@tanstack/react-query'
import { CheckCircle2, CircleDashed, Copy } from 'lucide-react'
import type { JSX } from 'react'
import { useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { byWeight, levelLabel, vetMarkdown } from '../../../src-shared/domain/vet/vet-markdown'
import {
  type VetCheck,
  type VetFinding,
  vetHeadline,
  type VetReport,
} from '../../../src-shared/domain/vet/vet-report'
import { call } from '../../ipc/call'
import { type Action, useAction } from '../../ipc/use-action'
import { useRequest } from '../../ipc/use-request'
import { useServer } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Select } from '../../ui/controls/select'
import { Switch } from '../../ui/controls/switch'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { PartHead } from '../../ui/layout/part-head'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { Tag } from '../../ui/marks/tag'
import { copyText } from '../../ui/saving/copy-text'
import { formatFull } from '../../ui/text/format'
import { writtenOut } from '../../ui/text/visible-text'
import { changesBetween, GROUP_LABELS, type ReportChange } from './vet-changes'

const PROGRESS_MS = 500

function Evidence({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  return (
    <div className="stack gap-1 slim">
      <span className="small faint">{label}</span>
      <pre className="vet-evidence well box pad-row small scroll">{writtenOut(text)}</pre>
    </div>
  )
}

function Finding({ finding }: { readonly finding: VetFinding }): JSX.Element {
  const { message, sent, received, fix } = finding
  return (
    <li className="stack gap-2 slim">
      <p className="break">{writtenOut(message)}</p>
      {sent !== undefined && <Evidence label="Sent" text={sent} />}
      {received !== undefined && <Evidence label="Received" text={received} />}
      <p className="soft">{fix}</p>
    </li>
  )
}

const TONES = { must: 'warn', should: 'accent', note: 'plain' } as const

function FoundCheck({ check }: { readonly check: VetCheck }): JSX.Element {
  const { id, title, level, findings, moreFindings, restart } = check
  return (
    <section className="vet-check box pad-row stack gap-3" aria-labelledby={`vet-${id}`}>
      <div className="row wrap gap-2">
        <Tag tone={TONES[level]}>{levelLabel(check)}</Tag>
        <h3 id={`vet-${id}`} className="medium">
          {title}
        </h3>
        <span className="grow" />
        <code className="small faint">{id}</code>
      </div>
      <ul className="stack gap-4">
        {findings.map((finding, index) => (
          <Finding key={`${String(index)} ${finding.message}`} finding={finding} />
        ))}
      </ul>
      {moreFindings > 0 && <p className="soft">And {moreFindings} more.</p>}
      {restart !== undefined && <p className="soft">{restart}</p>}
    </section>
  )
}

/** Checks without findings, by group. */
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
      <PartHead id="vet-comparison" title="Compared with">
        <Select
          aria-label="Compare with version"
          value={chosen}
          onValueChange={setChosen}
          options={others.map(({ server, startedAt }, index) => ({
            value: String(index),
            label: `${server.version ?? 'no version'}, ${formatFull(Date.parse(startedAt))}`,
          }))}
        />
      </PartHead>
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

function Report(props: {
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
          {formatFull(Date.parse(startedAt))}, {system}
        </p>
        <pre className="vet-evidence well box pad-row small scroll">{writtenOut(command)}</pre>
      </div>
      {byWeight(checks).map((check) => (
        <FoundCheck key={check.id} check={check} />
      ))}
      <Comparison report={report} others={others} />
      <QuietChecks id="vet-passed" title="Checked and fine" checks={of('passed')} />
      <QuietChecks id="vet-skipped" title="Not checked" checks={of('notChecked')} />
    </div>
  )
}

function Progress({ installationId }: { readonly installationId: string }): JSX.Element {
  const { value } = useRequest('vet.progress', { installationId }, { everyMs: PROGRESS_MS })
  const { done = 0, of = 1, group } = value ?? {}
  const words = group === undefined ? 'Starting' : GROUP_LABELS[group]
  return (
    <div className="stack gap-2" role="status">
      <p>
        {words}
        <span className="faint num"> {value ? `${String(done)} of ${String(of)}` : ''}</span>
      </p>
      <progress className="vet-progress" max={of} value={done} aria-label="Checks done" />
      <p className="soft">
        The server is started a few times beside the one that your apps use. No tool is called.
      </p>
    </div>
  )
}

type Checking = {
  readonly server: ServerView
  readonly action: Action<boolean>
  readonly reports: readonly VetReport[]
}

function Contents({ server, action, reports }: Checking): JSX.Element {
  const { installationId } = server
  const [latest, ...others] = reports
  if (action.isBusy) return <Progress installationId={installationId} />
  return (
    <>
      {action.problem && action.problem.code !== 'REQUEST_CANCELLED' && (
        <Banner severity="error" title={action.problem.message}>
          {action.problem.hint}
        </Banner>
      )}
      {latest ? (
        <Report report={latest} others={others} />
      ) : (
        <BlankState
          art="waiting"
          title="No report yet"
          message="A check starts the server and reports problems with evidence. It calls no tool."
        />
      )}
    </>
  )
}

function Controls(props: Checking): JSX.Element {
  const { server, action, reports } = props
  const { installationId } = server
  const [callsTools, setCallsTools] = useState(false)
  const [latest] = reports
  if (action.isBusy)
    return (
      <Button onClick={() => void call('vet.cancel', { installationId })}>Stop the check</Button>
    )
  return (
    <>
      <label className="row gap-2 small soft">
        Call read-only tools
        <Switch
          aria-label="Call read-only tools with invalid arguments"
          checked={callsTools}
          onCheckedChange={setCallsTools}
        />
      </label>
      {latest && (
        <Button
          icon={Copy}
          onClick={() => copyText(vetMarkdown(latest), 'Report copied as Markdown.')}
        >
          Copy as Markdown
        </Button>
      )}
      <Button variant="primary" onClick={() => action.run(callsTools)}>
        {latest ? 'Check again' : 'Check this server'}
      </Button>
    </>
  )
}

function VetContents({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name } = server
  const queries = useQueryClient()
  const { value, loaded, retry } = useRequest('vet.reports', { installationId })
  const action = useAction(
    (callReadOnly: boolean) => call('vet.run', { installationId, callReadOnly }),
    () => void queries.invalidateQueries({ queryKey: ['vet.reports'] }),
  )
  const checking = { server, action, reports: value ?? [] }
  return (
    <Page
      title="Report"
      crumbs={[
        { label: 'Servers', href: '/servers' },
        { label: name, href: `/servers/${installationId}` },
      ]}
      actions={<Controls {...checking} />}
    >
      {loaded.kind === 'failed' ? (
        <ProblemState title="Can’t load reports" problem={loaded.problem} onRetry={retry} />
      ) : value === undefined ? (
        <Skeleton label="Loading reports" rows={5} />
      ) : (
        <Contents {...checking} />
      )}
    </Page>
  )
}

/** The report of a server: what was checked, what was found with its evidence, and what changed since another version. */
export function VetPage({ installationId }: { readonly installationId: string }): JSX.Element {
  const server = useServer(installationId)
  if (server) return <VetContents server={server} />
  return (
    <Page title="Report" crumbs={[{ label: 'Servers', href: '/servers' }]}>
      <BlankState
        art="open"
        title="Server not found"
        message="This server was removed, or the address is wrong."
        action={<ButtonLink href="/servers">Show all servers</ButtonLink>}
      />
    </Page>
  )
}
