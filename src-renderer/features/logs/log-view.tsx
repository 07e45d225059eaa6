import './logs.css'

import { ChevronDown } from 'lucide-react'
import { type JSX, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { attempt, showFailure } from '../../ipc/show-failure'
import { useApp } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Menu, MenuAction, MenuChecks, MenuLine } from '../../ui/controls/menu'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { fileName } from '../../ui/saving/save-text'
import { SavingLine, useSaving } from '../../ui/saving/saving-line'
import { formatCount } from '../../ui/text/format'
import { copyLines, exportLines } from './log-export'
import { ALL_LINES, type LogControls, useLogControls } from './log-filter'
import { LogLines, useLogPlace } from './log-lines'
import { type LogActs, LogTools } from './log-tools'
import { type LogWindow, useLogWindow } from './log-window'
import { type LogFinding, useLogFind, useSpot } from './use-log-find'

function NoLines({
  servers,
  controls,
}: {
  readonly servers: readonly ServerView[]
  readonly controls: LogControls
}): JSX.Element {
  const { isFiltered, filter, setFilter } = controls
  const [only] = servers
  if (filter.clearedAt !== null)
    return (
      <BlankState
        art="open"
        title="View cleared"
        message="New lines appear here. Earlier lines are hidden, not deleted."
        action={<Button onClick={() => setFilter({ clearedAt: null })}>Show cleared lines</Button>}
      />
    )
  return isFiltered ? (
    <BlankState
      art="open"
      title="No matching lines"
      message="Change or clear the filters."
      action={<Button onClick={() => setFilter(ALL_LINES)}>Show all lines</Button>}
    />
  ) : (
    <BlankState
      art="waiting"
      title="No lines yet"
      message={
        servers.length === 1 && only
          ? `Output of ${only.name} appears here.`
          : 'Output of these servers appears here.'
      }
    />
  )
}

function State({
  window: { extent, refresh },
  servers,
  controls,
}: {
  readonly window: LogWindow
  readonly servers: readonly ServerView[]
  readonly controls: LogControls
}): JSX.Element | null {
  if (extent.problem)
    return <ProblemState title="Can’t load the log" problem={extent.problem} onRetry={refresh} />
  if (extent.isReading) return <Skeleton label="Loading log" />
  return extent.end > extent.first ? null : <NoLines servers={servers} controls={controls} />
}

/** Shows the log file of a server among its files; where there is no such program, says where it is. */
async function showLogFile(installationId: string): Promise<void> {
  const { path, isShown } = await call('log.showFile', { installationId })
  if (isShown) return
  showToast({
    message: `Log file: ${path}`,
    action: { label: 'Copy path', onAct: () => copyText(path, 'Path copied.') },
  })
}

/** What goes on beside the lines: a search that was ended, an export on its way. */
function Notes({
  finding: { found, problem: failure },
  children,
}: {
  readonly finding: LogFinding
  /** The export. */
  readonly children: ReactNode
}): JSX.Element | null {
  const problem = found?.problem ?? failure?.message
  if (problem === undefined && !children) return null
  return (
    <div className="pad-line fixed soft small ruled">
      {problem !== undefined && (
        <p className="tone is-error" role="status">
          {problem}
        </p>
      )}
      {children}
    </div>
  )
}

/** The log of a server, or those of several as one: live, searchable, filtered by level, source and time. */
export function LogView({
  servers,
  lead,
}: {
  readonly servers: readonly ServerView[]
  /** Stands first among the tools. */
  readonly lead?: ReactNode
}): JSX.Element {
  const names = servers.map(({ name }) => name)
  const only = servers.length === 1 ? servers[0] : undefined
  const controls = useLogControls(
    servers.map(({ installationId }) => installationId),
    only?.phases[0]?.startedAt,
  )
  const { query, wanted, setFilter } = controls
  const window = useLogWindow(query, wanted)
  const { extent } = window
  const place = useLogPlace(extent.end)
  const finding = useLogFind(query, wanted, () => Math.max(extent.first, window.inView.to - 1))
  const { spot, goTo } = useSpot(controls, finding)
  const { saving, save, cancel } = useSaving()
  const [, navigate] = useLocation()
  const landmark = async (kind: 'mark' | 'error'): Promise<void> => {
    const from = spot && !place.isFollowing ? spot.row : extent.end
    const row = await call('log.landmark', { query, kind, from, step: 'previous' })
    if (row !== null) goTo(row)
    else showToast({ message: kind === 'error' ? 'No errors found.' : 'No start found.' })
  }
  const acts: LogActs = {
    isPaused: place.upTo !== null,
    togglePause: place.upTo === null ? place.pause : place.follow,
    goTo: (kind) => void attempt(landmark(kind)),
    copy: () => void copyLines(query, names),
    export: (format) => {
      const name = fileName(only?.name ?? 'logs', Date.now(), format === 'text' ? 'log' : format)
      save(name, (run) => exportLines(query, format, names, run), showFailure)
    },
    clear: () => setFilter({ clearedAt: extent.place }),
    unclear: () => setFilter({ clearedAt: null }),
    showAll: only && (() => navigate('/logs')),
    showFile: only && (() => void attempt(showLogFile(only.installationId))),
  }
  return (
    <div className="log fill col anchor">
      <LogTools {...{ controls, finding, acts, lead }} hasStart={(only?.phases.length ?? 0) > 0} />
      <Notes finding={finding}>
        {saving && <SavingLine saving={saving} things="lines" onCancel={cancel} />}
      </Notes>
      <div className="log-body fill col anchor">
        <State window={window} servers={servers} controls={controls} />
        <LogLines
          key={JSON.stringify(query)}
          label={only ? `Log of ${only.name}` : 'Logs of several servers'}
          window={window}
          place={place}
          spot={spot}
          wrap={controls.wrap}
          names={only ? null : names}
        />
      </div>
    </div>
  )
}

type Choice = { readonly value: string; readonly label: string }

function wordsOf(choices: readonly Choice[], shown: readonly string[]): string {
  if (shown.length === choices.length) return 'All servers'
  const [only] = shown
  const name = choices.find(({ value }) => value === only)?.label
  return shown.length === 1 && name ? name : `${formatCount(shown.length)} servers`
}

const NO_SERVERS = [] as const

/** The logs of several servers as one, each line with the name of its server. */
export function LogsPage(): JSX.Element {
  const servers = useApp(({ app }) => app?.servers ?? NO_SERVERS)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const visible = servers.filter(({ installationId }) => !hidden.includes(installationId))
  const shown = visible.length > 0 ? visible : servers
  const choices = servers.map(({ installationId, name }) => ({
    value: installationId,
    label: name,
  }))
  const shownIds = shown.map(({ installationId }) => installationId)
  const words = wordsOf(choices, shownIds)
  // At least one is shown.
  const hide = (value: string, isChosen: boolean): void => {
    const next = choices.filter((choice) =>
      choice.value === value ? isChosen : shownIds.includes(choice.value),
    )
    if (next.length === 0) return
    setHidden(choices.filter((choice) => !next.includes(choice)).map((choice) => choice.value))
  }
  return (
    <Page title="Logs" crumbs={[{ label: 'Servers', href: '/servers' }]} layout="columns">
      {shown.length === 0 ? (
        <BlankState
          art="open"
          title="No servers yet"
          message="Server output appears here. Add a server to start."
          action={
            <ButtonLink href="/catalog" variant="primary">
              Open catalog
            </ButtonLink>
          }
        />
      ) : (
        <LogView
          servers={shown}
          lead={
            <Menu
              align="start"
              label="Servers"
              trigger={
                <Button variant="quiet" size="small" aria-label={`Servers: ${words}`}>
                  <span className="cut">{words}</span>
                  <ChevronDown className="icon icon-s" aria-hidden />
                </Button>
              }
            >
              <MenuAction onSelect={() => setHidden([])}>All servers</MenuAction>
              <MenuLine />
              <div className="bounded scroll">
                <MenuChecks values={shownIds} choices={choices} onChange={hide} />
              </div>
            </Menu>
          }
        />
      )}
    </Page>
  )
}
