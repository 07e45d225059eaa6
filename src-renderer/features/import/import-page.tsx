import './import.css'

import { type JSX, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'

import type {
  HostChangePreview,
  HostView,
  UnreadHost,
} from '../../../src-shared/domain/agents/host'
import { ChangeView } from '../../components/app/change-view'
import { useCommitKey } from '../../components/configuration/review/review-list'
import { LeaveDialog, useLeaveGuard } from '../../frame/use-leave-guard'
import { useApp, useSecretsInMemory } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Checkbox, Select } from '../../ui/controls/choice'
import { SearchField } from '../../ui/controls/search-field'
import { Banner, BlankState, keepFocus, Page, Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { ActionBar } from '../../ui/layout/section'
import { enterList } from '../../ui/list/virtual-list'
import { counted, formatCount, formatList } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { ImportDetail, ImportList } from './import-columns'
import { ImportOutcome, useOutcome } from './import-outcome'
import { HEAD, ImportReview } from './import-review'
import {
  entriesToSwitchOff,
  filterRows,
  hostNames,
  type ImportableRow,
  summaryText,
} from './import-rows'
import { type FilesStep as Step, type Import, MAX_BATCH, useImport } from './use-import'

const NO_HOSTS: readonly HostView[] = []

function NothingFound({ onAgain: onRetry }: { readonly onAgain: () => void }): JSX.Element {
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
          <span className="flex min-w-0 items-center gap-2">
            <Button onClick={onRetry}>Refresh</Button>
            <ButtonLink href="/catalog?paste" variant="primary">
              Paste configuration
            </ButtonLink>
          </span>
        }
      />
      {hosts.length > 0 && (
        <p className="mx-auto mt-2 max-w-text text-center text-balance text-muted">
          Patchbay scans {formatList(hosts.map(({ name }) => name))}.
        </p>
      )}
      <p className="mx-auto mt-2 max-w-text text-center text-balance text-muted">
        To scan a project folder, add it on the <Link href="/apps">Apps</Link> page.
      </p>
    </div>
  )
}

const UNIMPORTED = {
  title: 'Leave without importing?',
  description: 'Your selected servers won’t be imported.',
} as const

function Choosing({ importing }: { readonly importing: Import }): JSX.Element {
  const { rows, ticked, reading, tick } = importing
  /** An empty host means all apps. */
  const [filter, setFilter] = useState({ host: '', query: '' })
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter])
  const isNarrowed = shown.length < rows.length
  const [wanted, setWanted] = useState('')
  const region = useRef<HTMLElement>(null)
  const keys = useMemo(() => new Set(ticked.map(({ key }) => key)), [ticked])
  const current = shown.find(({ key }) => key === wanted) ?? shown[0]
  return (
    <>
      <UnreadFiles unread={reading.servers?.unread ?? []} />
      <div className="list-bar flex flex-none flex-wrap items-center gap-2 border-b border-line">
        {rows.length > MANY && (
          <SearchField
            label="Search found servers"
            placeholder="Search servers"
            value={filter.query}
            meta={isNarrowed ? `${formatCount(shown.length)} found` : undefined}
            onChange={(query) => setFilter({ ...filter, query })}
            onArrowDown={enterList}
          />
        )}
        <HostSelect
          all={rows}
          host={filter.host}
          onChange={(host) => setFilter({ ...filter, host })}
        />
        <span className="truncate flex-1 text-muted tabular-nums" aria-live="polite">
          {isNarrowed
            ? `${formatCount(shown.length)} of ${counted(rows.length, 'server')}`
            : counted(rows.length, 'server')}
        </span>
        <Button size="small" variant="quiet" onClick={() => tick(shown, true)}>
          {isNarrowed ? 'Select all shown' : 'Select all'}
        </Button>
        <Button size="small" variant="quiet" onClick={() => tick(shown, false)}>
          {isNarrowed ? 'Clear all shown' : 'Clear all'}
        </Button>
      </div>
      {current ? (
        <div className="import-columns grid min-h-0 flex-1">
          <ImportList
            rows={shown}
            ticked={keys}
            current={current.key}
            onShow={setWanted}
            onTick={(row, isTicked) => tick([row], isTicked)}
            onEnter={() => region.current?.focus()}
          />
          <div
            className="aside flex min-h-0 min-w-0 flex-1 flex-col bg-subtle"
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
      ) : (
        <BlankState art="open" title="No matching servers" message="Try a shorter search." />
      )}
    </>
  )
}

function ImportLoading({ importing }: { readonly importing: Import }): JSX.Element {
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

function Importing(): JSX.Element {
  const [, navigate] = useLocation()
  const isSetup = new URLSearchParams(useSearch()).has('setup')
  const [isReviewed, setIsReviewed] = useState(false)
  const importing = useImport(isSetup ? () => setIsReviewed(true) : undefined)
  const { rows, step, leave: skipFile, goOn: proceed, isBusy, isDirty } = importing
  const guard = useLeaveGuard(isDirty && !isReviewed)
  useEffect(() => {
    if (isReviewed) navigate('/')
  }, [isReviewed, navigate])
  // The review has its own commit key.
  useCommitKey(importing.review === null ? proceed : null)
  const isEmpty = rows.length === 0
  const leaveDialog = <LeaveDialog guard={guard} isBusy={isBusy} texts={UNIMPORTED} />
  if (importing.review !== null)
    return (
      <ImportReview importing={importing} selection={importing.review}>
        {leaveDialog}
      </ImportReview>
    )
  return (
    <Page
      {...HEAD}
      layout={isEmpty || step !== null ? 'padded' : 'columns'}
      foot={isEmpty ? undefined : <ImportFooter importing={importing} />}
    >
      {isEmpty ? (
        <ImportLoading importing={importing} />
      ) : step === null ? (
        <Choosing importing={importing} />
      ) : (
        <FilesStep step={step} onLeave={skipFile} />
      )}
      {leaveDialog}
    </Page>
  )
}

/** The servers that other apps on this computer run, how each is imported, and the result of the import. */
export function ImportPage(): JSX.Element {
  const outcome = useOutcome()
  if (outcome === null) return <Importing />
  return (
    <Page {...HEAD}>
      <ImportOutcome outcome={outcome} />
    </Page>
  )
}

function UnreadFiles({ unread }: { readonly unread: readonly UnreadHost[] }): JSX.Element | null {
  if (unread.length === 0) return null
  return (
    <div className="scroll max-h-32 flex-none px-5 py-3">
      <Banner severity="warn" title={`Can’t read ${counted(unread.length, 'file')}.`}>
        <ul className="wrap-anywhere" aria-label="Unreadable files">
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

const MANY = 8

function HostSelect(props: {
  readonly all: readonly ImportableRow[]
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

function verb({ ticked, switchesOff, step }: Import): string {
  if (step === null && switchesOff && entriesToSwitchOff(ticked).length > 0)
    return 'Review file changes'
  return `Review ${counted(ticked.length, 'server')}`
}

function ImportFooter({ importing }: { readonly importing: Import }): JSX.Element {
  const {
    ticked,
    step,
    isBusy,
    problem,
    goOn: proceed,
    back,
    switchesOff,
    setSwitchesOff,
  } = importing
  const isInMemory = useSecretsInMemory()
  const isTooMany = ticked.length > MAX_BATCH
  const isBarred = ticked.length === 0 || isTooMany
  return (
    <ActionBar label="Import" problem={problem}>
      <p className="min-w-0 flex-1 text-pretty text-muted" role="status">
        <b className="block text-foreground">
          {isTooMany
            ? `Select at most ${counted(MAX_BATCH, 'server')}.`
            : summaryText(ticked, importing.rows.length, { isInMemory })}
        </b>
        {step === null
          ? 'You review each command before a server is added.'
          : 'You can undo each change until the file changes again.'}
      </p>
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
        onClick={proceed}
      >
        {verb(importing)}
      </Button>
    </ActionBar>
  )
}

/** Returns the app of a file while no entry in it leads to Patchbay. */
function unconnectedHost(hosts: readonly HostView[], fileId: string): string | undefined {
  const host = hosts.find(({ files }) => files.some((file) => file.fileId === fileId))
  const isConnected = host?.files.some(({ connections }) =>
    connections.some(({ state }) => state !== 'gone' && state !== 'agentGone'),
  )
  return isConnected === true ? undefined : host?.name
}

function File(props: {
  readonly preview: HostChangePreview
  readonly isLeft: boolean
  readonly onLeave: (isLeft: boolean) => void
}): JSX.Element {
  const { preview, isLeft: isSkipped, onLeave: onSkip } = props
  const { fileId, path, entryNames, obstacle } = preview
  const host = useApp(({ app }) => unconnectedHost(app?.hosts.hosts ?? NO_HOSTS, fileId))
  const names = visibleText(formatList(entryNames))
  return (
    <section className="grid min-w-0 gap-2" aria-label={visibleText(path)}>
      <Checkbox
        disabled={obstacle !== undefined}
        checked={obstacle === undefined && !isSkipped}
        onCheckedChange={(isChanged) => onSkip(!isChanged)}
      >
        <b>Turn off {names}</b>
      </Checkbox>
      {host !== undefined && (
        <p className="text-muted">
          {visibleText(host)} isn’t connected to Patchbay and loses these servers. Connect it on the{' '}
          <Link href="/apps">Apps</Link> page.
        </p>
      )}
      <ChangeView preview={preview} />
    </section>
  )
}

/** The changes in each file when the imported entries are turned off, and the choice of files. */
function FilesStep(props: {
  readonly step: Step
  readonly onLeave: (fileId: string, isLeft: boolean) => void
}): JSX.Element {
  const { step, onLeave: onSkip } = props
  const isInMemory = useSecretsInMemory()
  useEffect(() => keepFocus(), [])
  return (
    <div className="grid max-w-text gap-6">
      <p className="text-muted">
        Patchbay imports the servers, then turns them off in the apps you select here.
      </p>
      {isInMemory && (
        <Banner severity="warn" title="Secrets in memory only">
          Removing an entry also deletes its secrets from the app’s file. Re-enter them each time
          Patchbay starts.
        </Banner>
      )}
      {step.files.map((preview) => (
        <File
          key={preview.fileId}
          preview={preview}
          isLeft={step.left.has(preview.fileId)}
          onLeave={(isSkipped) => onSkip(preview.fileId, isSkipped)}
        />
      ))}
    </div>
  )
}
