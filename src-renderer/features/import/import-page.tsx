import './import.css'

import { type JSX, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'

import type { HostView, UnreadHost } from '../../../src-shared/domain/agents/host'
import { ReviewSheet, useCommitKey } from '../../components/configuration/review/review-sheet'
import { useSecretsInMemory } from '../../components/secret/secret-place'
import { LeaveDialog } from '../../frame/editor-frame'
import { useLeaveGuard } from '../../frame/use-leave-guard'
import { useApp } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Checkbox } from '../../ui/controls/checkbox'
import { SearchField } from '../../ui/controls/search-field'
import { Select } from '../../ui/controls/select'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { PageFoot } from '../../ui/layout/section'
import { Skeleton } from '../../ui/layout/skeleton'
import { enterList } from '../../ui/list/virtual-list'
import { counted, formatCount, formatList } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { FilesStep } from './files-step'
import { entriesToSwitchOff, filterRows, type FoundRow, hostNames, sumWords } from './found-rows'
import { ImportDetail, ImportList } from './import-columns'
import { ImportOutcome, useOutcome } from './import-outcome'
import { changedFiles, type Import, MOST_AT_ONCE, type Selection, useImport } from './use-import'

const NO_HOSTS: readonly HostView[] = []

/** What stands here where no app has a server: which apps are looked for, and the other ways. */
function NothingFound({ onAgain }: { readonly onAgain: () => void }): JSX.Element {
  const hosts = useApp(({ app }) => app?.hosts.hosts ?? NO_HOSTS)
  const here = hosts.filter(({ isHere }) => isHere).map(({ name }) => name)
  return (
    <div>
      <BlankState
        art="waiting"
        title="No servers to import"
        message={
          here.length === 0
            ? 'Servers from supported apps appear here. Add servers to an app, or paste a configuration.'
            : `The files of ${formatList(here)} list no servers.`
        }
        action={
          <span className="row gap-2 slim">
            <Button onClick={onAgain}>Refresh</Button>
            <ButtonLink href="/catalog?paste" variant="primary">
              Paste configuration
            </ButtonLink>
          </span>
        }
      />
      {hosts.length > 0 && (
        <p className="measure middle above-2 soft">
          Patchbay scans {formatList(hosts.map(({ name }) => name))}.
        </p>
      )}
      <p className="measure middle above-2 soft">
        To scan a project folder, add it on the <Link href="/apps">Apps</Link> page.
      </p>
    </div>
  )
}

const HEAD = {
  title: 'Import from your apps',
  crumbs: [{ label: 'Catalog', href: '/catalog' }],
} as const

const REVIEW_CRUMBS = [...HEAD.crumbs, { label: HEAD.title, href: '/import' }] as const

const UNIMPORTED = {
  title: 'Leave without importing?',
  description: 'Your selected servers won’t be imported.',
} as const

function Columns({
  importing,
  shown,
}: {
  readonly importing: Import
  readonly shown: readonly FoundRow[]
}): JSX.Element {
  const { rows, ticked, tick } = importing
  const [wanted, setWanted] = useState('')
  const region = useRef<HTMLElement>(null)
  const keys = useMemo(() => new Set(ticked.map(({ key }) => key)), [ticked])
  const current = shown.find(({ key }) => key === wanted) ?? shown[0]
  if (!current)
    return <BlankState art="open" title="No matching servers" message="Try a shorter search." />
  return (
    <div className="import-columns fill stack">
      <ImportList
        rows={shown}
        ticked={keys}
        current={current.key}
        onShow={setWanted}
        onTick={(row, isTicked) => tick([row], isTicked)}
        onEnter={() => region.current?.focus()}
      />
      <div
        className="aside subtle fill col slim"
        onKeyDown={(event) => event.key === 'Escape' && enterList(event)}
      >
        <ImportDetail
          key={current.key}
          row={current}
          all={rows}
          importing={importing}
          onShow={setWanted}
          region={region}
        />
      </div>
    </div>
  )
}

function Choosing({ importing }: { readonly importing: Import }): JSX.Element {
  const { rows, reading, tick } = importing
  const [filter, setFilter] = useState<ListFilter>({ host: '', query: '' })
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter])
  return (
    <>
      <UnreadFiles unread={reading.servers?.unread ?? []} />
      <ImportBar
        all={rows}
        shown={shown}
        filter={filter}
        onFilter={setFilter}
        onTick={(isTicked) => tick(shown, isTicked)}
      />
      <Columns importing={importing} shown={shown} />
    </>
  )
}

function NothingYet({ importing }: { readonly importing: Import }): JSX.Element {
  const { servers, problem, again } = importing.reading
  if (servers === undefined && problem)
    return <ProblemState title="Can’t scan your apps" problem={problem} onRetry={again} />
  if (servers === undefined) return <Skeleton label="Scanning your apps" rows={6} />
  return (
    <>
      <UnreadFiles unread={servers.unread} />
      <NothingFound onAgain={again} />
    </>
  )
}

function Reviewing(props: {
  readonly importing: Import
  readonly selection: Selection
  readonly children: ReactNode
}): JSX.Element {
  const { importing, selection, children } = props
  const byKey = new Map(selection.ticked.map((row) => [row.key, row]))
  const files = changedFiles(importing).length
  return (
    <ReviewSheet
      crumbs={REVIEW_CRUMBS}
      candidates={selection.ticked.map((row) => ({
        key: row.key,
        from: hostNames(row),
        server: row.entry.server,
      }))}
      install={(candidates, { approves }) =>
        importing.add(
          candidates.flatMap(({ key }) => byKey.get(key) ?? []),
          approves,
        )
      }
      onBack={importing.back}
      adjust={({ key }, change) => importing.adjust(key, change)}
      {...(files > 0 && { note: `${counted(files, 'app file')} will also change.` })}
    >
      {children}
    </ReviewSheet>
  )
}

function Importing(): JSX.Element {
  const [, navigate] = useLocation()
  const isSetup = new URLSearchParams(useSearch()).has('setup')
  const [isReviewed, setIsReviewed] = useState(false)
  const importing = useImport(isSetup ? () => setIsReviewed(true) : undefined)
  const { rows, step, leave, goOn, isBusy, isDirty } = importing
  const guard = useLeaveGuard(isDirty && !isReviewed)
  useEffect(() => {
    if (isReviewed) navigate('/')
  }, [isReviewed, navigate])
  // The review has a key of its own.
  useCommitKey(importing.review === null ? goOn : null)
  const isEmpty = rows.length === 0
  const leaveDialog = <LeaveDialog guard={guard} isBusy={isBusy} words={UNIMPORTED} />
  if (importing.review !== null)
    return (
      <Reviewing importing={importing} selection={importing.review}>
        {leaveDialog}
      </Reviewing>
    )
  return (
    <Page
      {...HEAD}
      layout={isEmpty || step !== null ? 'padded' : 'columns'}
      foot={isEmpty ? undefined : <ImportFoot importing={importing} />}
    >
      {isEmpty ? (
        <NothingYet importing={importing} />
      ) : step === null ? (
        <Choosing importing={importing} />
      ) : (
        <FilesStep step={step} onLeave={leave} />
      )}
      {leaveDialog}
    </Page>
  )
}

/** The servers that other apps of this computer run, what each becomes here, and what came of importing them. */
export function ImportPage(): JSX.Element {
  const outcome = useOutcome()
  if (outcome === null) return <Importing />
  return (
    <Page {...HEAD}>
      <ImportOutcome outcome={outcome} />
    </Page>
  )
}

/** The files that nothing can be imported from, each with its reason. */
function UnreadFiles({ unread }: { readonly unread: readonly UnreadHost[] }): JSX.Element | null {
  if (unread.length === 0) return null
  return (
    <div className="low pad-bar fixed scroll">
      <Banner severity="warn" title={`Can’t read ${counted(unread.length, 'file')}.`}>
        <ul className="break" aria-label="Unreadable files">
          {unread.map(({ hostName, path, problem }) => (
            <li key={`${hostName} ${path} ${problem}`}>
              {visibleText(hostName)}, <code>{visibleText(path)}</code>: {visibleText(problem)}
            </li>
          ))}
        </ul>
      </Banner>
    </div>
  )
}

/** Fewer are seen at a glance. */
const MANY = 8

/** What of the found servers is listed; an empty host stands for all. */
type ListFilter = { readonly host: string; readonly query: string }

function HostSelect(props: {
  readonly all: readonly FoundRow[]
  readonly host: string
  readonly onChange: (host: string) => void
}): JSX.Element | null {
  const { all, host, onChange } = props
  const hosts = Map.groupBy(
    all.flatMap((row) => hostNames(row)),
    (name) => name,
  )
  if (hosts.size < 2) return null
  return (
    <Select
      aria-label="App"
      value={host}
      options={[
        { value: '', label: `All apps (${formatCount(all.length)})` },
        ...[...hosts].map(([name, { length }]) => ({
          value: name,
          label: `${visibleText(name)} (${formatCount(length)})`,
        })),
      ]}
      onValueChange={onChange}
    />
  )
}

/** Narrows the list, and ticks or unticks all that it shows. */
function ImportBar(props: {
  readonly all: readonly FoundRow[]
  readonly shown: readonly FoundRow[]
  readonly filter: ListFilter
  readonly onFilter: (filter: ListFilter) => void
  readonly onTick: (isTicked: boolean) => void
}): JSX.Element {
  const { all, shown, filter, onFilter, onTick } = props
  const isNarrowed = shown.length < all.length
  return (
    <div className="import-bar list-bar row wrap gap-2 fixed ruled">
      {all.length > MANY && (
        <SearchField
          label="Search found servers"
          placeholder="Search servers"
          value={filter.query}
          meta={isNarrowed ? `${formatCount(shown.length)} found` : undefined}
          onChange={(query) => onFilter({ ...filter, query })}
          onArrowDown={enterList}
        />
      )}
      <HostSelect all={all} host={filter.host} onChange={(host) => onFilter({ ...filter, host })} />
      <span className="grow num soft cut" aria-live="polite">
        {isNarrowed
          ? `${formatCount(shown.length)} of ${counted(all.length, 'server')}`
          : counted(all.length, 'server')}
      </span>
      <Button size="small" variant="quiet" onClick={() => onTick(true)}>
        {isNarrowed ? 'Select all shown' : 'Select all'}
      </Button>
      <Button size="small" variant="quiet" onClick={() => onTick(false)}>
        {isNarrowed ? 'Clear all shown' : 'Clear all'}
      </Button>
    </div>
  )
}

/** The label of the button: what the next step is. */
function verb({ ticked, switchesOff, step }: Import): string {
  if (step === null && switchesOff && entriesToSwitchOff(ticked).length > 0)
    return 'Review file changes'
  return `Review ${counted(ticked.length, 'server')}`
}

function Sum({ importing }: { readonly importing: Import }): JSX.Element {
  const { ticked, rows, step } = importing
  const isInMemory = useSecretsInMemory()
  const tooMany =
    ticked.length > MOST_AT_ONCE && `Select at most ${counted(MOST_AT_ONCE, 'server')}.`
  return (
    <p className="grow soft pretty" role="status">
      <b className="block ink">{tooMany || sumWords(ticked, rows.length, { isInMemory })}</b>
      {step === null
        ? 'You review each command before a server is added.'
        : 'You can undo each change until the file changes again.'}
    </p>
  )
}

/** What importing does, why it was rejected, and the button. */
function ImportFoot({ importing }: { readonly importing: Import }): JSX.Element {
  const { ticked, step, isBusy, problem, goOn, back, switchesOff, setSwitchesOff } = importing
  const isBarred = ticked.length === 0 || ticked.length > MOST_AT_ONCE
  return (
    <PageFoot label="Import" problem={problem}>
      <Sum importing={importing} />
      {step === null ? (
        <Checkbox checked={switchesOff} onCheckedChange={setSwitchesOff}>
          <span>Turn off in original apps</span>
        </Checkbox>
      ) : (
        <Button size="form" onClick={back}>
          Back
        </Button>
      )}
      <Button
        size="form"
        variant="primary"
        busy={isBusy}
        aria-disabled={isBarred || undefined}
        aria-keyshortcuts="Control+Enter"
        onClick={goOn}
      >
        {verb(importing)}
      </Button>
    </PageFoot>
  )
}
