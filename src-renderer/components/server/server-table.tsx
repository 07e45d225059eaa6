import { type JSX, type KeyboardEvent, type ReactNode, useDeferredValue } from 'react'
import { Link } from 'wouter'

import { isActive, isWorking, STATUS_WORD } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useNow } from '../../stores/app-store'
import { useServerTools } from '../../stores/tools-store'
import { nextRow } from '../../ui/focus/next-row'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatCount, formatDuration } from '../../ui/text/format'
import { PHASE_LABEL, suggestedAction } from '../status/status-messages'
import { reviewPath } from '../tool/tool-paths'
import { LiveStatusText, phaseInterval } from './live-status-text'
import { type PhaseAppearance, phaseViews, startDuration } from './phase-times'
import { SuggestedButton } from './server-menu'

const PHASE_CLASS: Record<PhaseAppearance, string> = {
  quick: 'ph-quick',
  long: 'ph-long',
  live: 'is-starting',
  bad: 'is-error',
  rest: 'ph-rest',
}

type Phases = ServerView['phases']

function startLabel(phases: Phases, now: number): string {
  const running = phases.find(({ outcome }) => outcome === 'running')
  if (running) return `Starting: ${PHASE_LABEL[running.phase].toLowerCase()}`
  const failed = phases.find(({ outcome }) => outcome === 'failed')
  const span = formatDuration(startDuration(phases, now))
  if (failed) return `Last start failed in ${PHASE_LABEL[failed.phase].toLowerCase()} after ${span}`
  return `Last start ${span}`
}

/** The newest start as a bar: width is time, the longest step is dark. */
function PhaseBar({ phases }: { readonly phases: Phases }): JSX.Element {
  const now = useNow(phaseInterval(phases))
  const views = phaseViews(phases, now)
  const total = Math.max(1, startDuration(phases, now))
  return (
    <span
      className="phases meter flex h-1.5 w-30 items-center gap-px overflow-hidden rounded-full"
      role="img"
      aria-label={startLabel(phases, now)}
    >
      {views.map(({ phase, look: appearance, ms }) => (
        <span
          key={phase}
          className={PHASE_CLASS[appearance]}
          style={{ flexGrow: Math.max(0.06, ms / total) }}
        />
      ))}
    </span>
  )
}

function StartSpan({ phases }: { readonly phases: Phases }): JSX.Element {
  const now = useNow(phaseInterval(phases))
  return <>{formatDuration(startDuration(phases, now))}</>
}

function linkId(installationId: string): string {
  return `row-${installationId}`
}

/** The button that skips the wait for a retry, in the row that counts down. */
function TryNow({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { status, installationId } = server
  const action = status.kind === 'backingOff' ? suggestedAction(status) : null
  if (action === null) return null
  return (
    <SuggestedButton inList server={server} action={action} focusAfterId={linkId(installationId)} />
  )
}

function StateCell({ server }: { readonly server: ServerView }): JSX.Element {
  const { kind } = server.status
  const isReady = kind === 'ready'
  return (
    <td className={`state truncate text-muted is-${kind}`}>
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate flex-1">
          <span className={isReady ? undefined : 'font-medium text-status'}>
            {isReady ? STATUS_WORD.ready : `${STATUS_WORD[kind]}:`}
          </span>{' '}
          <LiveStatusText server={server} part="brief" />
          {isActive(server.status) && server.unapplied.length > 0 && ', restart to apply changes'}
        </span>
        <TryNow server={server} />
      </span>
    </td>
  )
}

/** The server's number of tools now or when last listed, after those that need review. */
function ToolsCell({ server }: { readonly server: ServerView }): JSX.Element {
  const { status, counts, installationId } = server
  const tools = useServerTools(installationId)
  const works = isWorking(status)
  const isKnown = works || tools?.listedAt !== undefined
  const reviewCount = tools?.needsReview ?? 0
  return (
    <td className="hide-small text-right text-muted tabular-nums">
      {reviewCount > 0 && (
        <Link
          href={reviewPath(installationId)}
          className="is-degraded text-small font-medium text-status"
        >
          {`${formatCount(reviewCount)} to review`}
        </Link>
      )}{' '}
      {isKnown ? formatCount(works ? counts.tools : (tools?.total ?? 0)) : '–'}
    </td>
  )
}

/** Number of rows in the first rendering; a window of ordinary height shows no more. */
const FIRST_ROWS = 24

/** Returns the visible rows first and the rest in a deferred rendering. */
function useShownRows(servers: readonly ServerView[]): readonly ServerView[] {
  const isComplete = useDeferredValue(true, false)
  return isComplete ? servers : servers.slice(0, FIRST_ROWS)
}

/** Moves the focus from a search field into the table. */
export function enterServers(event: KeyboardEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main tbody a')?.focus()
}

/** A table with one row for each server: name, status, newest start, tools, and the content of `renderEnd`. */
export function ServerTable(props: {
  readonly servers: readonly ServerView[]
  readonly labelledBy?: string
  readonly label?: string
  readonly renderEnd?: (server: ServerView) => ReactNode
  readonly endHeads?: ReactNode
  readonly renderStart?: (server: ServerView) => ReactNode
  readonly startHead?: ReactNode
}): JSX.Element {
  const { servers, labelledBy, label, renderEnd, endHeads, renderStart, startHead } = props
  const shown = useShownRows(servers)
  return (
    <table className="grid-table servers" aria-labelledby={labelledBy} aria-label={label}>
      <thead>
        <tr>
          {startHead}
          <th scope="col">Server</th>
          <th scope="col">Status</th>
          <th scope="col" colSpan={2} className="hide-narrow">
            Last start
          </th>
          <th scope="col" className="hide-small text-right">
            Tools
          </th>
          {endHeads}
        </tr>
      </thead>
      <tbody onKeyDown={navigateRows}>
        {shown.map((server) => {
          const { installationId, name, status, phases } = server
          return (
            <tr key={installationId}>
              {renderStart?.(server)}
              <th scope="row" className="max-w-64">
                <span className="flex min-w-0 items-center gap-2">
                  <StatusGlyph status={status.kind} />
                  <Link
                    id={linkId(installationId)}
                    href={`/servers/${installationId}`}
                    className="truncate font-medium text-foreground"
                  >
                    {name}
                  </Link>
                </span>
              </th>
              <StateCell server={server} />
              <td className="hide-narrow">{phases.length > 0 && <PhaseBar phases={phases} />}</td>
              <td className="hide-narrow text-right text-muted tabular-nums">
                {phases.length > 0 ? <StartSpan phases={phases} /> : '–'}
              </td>
              <ToolsCell server={server} />
              {renderEnd?.(server)}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const PAGE = 10

const CONTROL = 'a, button, input'

/** Returns the control in the same column of a row, else the link of its name. */
function controlOf(row: HTMLTableRowElement | undefined, column: number): HTMLElement | null {
  const same = row?.cells[column]?.querySelector<HTMLElement>(CONTROL)
  return same ?? row?.querySelector<HTMLElement>('a') ?? null
}

function hasModifier({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return shiftKey || ctrlKey || metaKey || altKey
}

/** Key handler of a `tbody`: arrows, Home, End and page keys move the focus to the same control of another row. */
function navigateRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const { target, currentTarget, key } = event
  if (event.defaultPrevented || hasModifier(event) || !(target instanceof Element)) return
  const cell = target.closest<HTMLTableCellElement>('td, th')
  const rows = [...currentTarget.rows]
  const from = rows.findIndex((row) => row === cell?.parentElement)
  if (cell === null || from < 0) return
  const to = nextRow(key, from, rows.length, PAGE)
  const control = to === undefined ? null : controlOf(rows[to], cell.cellIndex)
  if (control === null) return
  event.preventDefault()
  control.focus()
}
