import './import.css'

import type { JSX } from 'react'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'

import { LeaveDialog } from '../../frame/leave-dialog'
import { useLeaveGuard } from '../../frame/use-leave-guard'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { isCovered } from '../../ui/overlays/is-covered'
import { FilesStep } from './files-step'
import type { FoundRow } from './found-rows'
import { filterRows } from './found-rows'
import type { ListFilter } from './import-bar'
import { ImportBar } from './import-bar'
import { ImportDetail } from './import-detail'
import { ImportFoot } from './import-foot'
import { enterRows, ImportList } from './import-list'
import { ImportOutcome } from './import-outcome'
import { NothingFound } from './nothing-found'
import { useOutcome } from './outcome-store'
import { UnreadFiles } from './unread-files'
import type { Import } from './use-import'
import { useImport } from './use-import'

const HEAD = {
  title: 'Import from your apps',
  crumbs: [{ label: 'Catalog', href: '/catalog' }],
} as const

const UNIMPORTED = {
  title: 'Leave without importing?',
  description: 'What was chosen here is not imported.',
} as const

/** Ctrl+Enter, or Cmd+Enter, imports from anywhere on the page. */
function useImportKey(goOn: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    if (isCovered()) return
    event.preventDefault()
    goOn()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => press(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

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
    return <BlankState art="open" title="No server matches" message="Shorter words find more." />
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
        onKeyDown={(event) => event.key === 'Escape' && enterRows(event)}
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
    return <ProblemState problem={problem} retryLabel="Look again" onRetry={again} />
  if (servers === undefined) return <Skeleton label="Looking into your apps" rows={6} />
  return (
    <>
      <UnreadFiles unread={servers.unread} />
      <NothingFound onAgain={again} />
    </>
  )
}

function Importing(): JSX.Element {
  const importing = useImport()
  const { rows, step, leave, goOn, isBusy, isDirty } = importing
  const guard = useLeaveGuard(isDirty)
  useImportKey(goOn)
  const isEmpty = rows.length === 0
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
      <LeaveDialog guard={guard} isBusy={isBusy} words={UNIMPORTED} />
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
