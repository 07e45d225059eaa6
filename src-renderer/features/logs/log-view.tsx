import './logs.css'

import { ChevronDown } from 'lucide-react'
import { type JSX, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { attempt, showFailure } from '../../ipc/show-failure'
import { useServers } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Menu, MenuAction, MenuChecks, MenuSeparator } from '../../ui/controls/menu'
import { BlankState, Page, Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { fileName } from '../../ui/saving/save-text'
import { SavingNotice, useSaving } from '../../ui/saving/saving-notice'
import { formatCount } from '../../ui/text/format'
import { copyLines, exportLines } from './log-export'
import { ALL_LINES, type LogControls, useLogControls } from './log-filter'
import { LogLines, useFollowState } from './log-lines'
import { type LogRowCache, useLogRowCache } from './log-row-cache'
import { type LogActions, LogTools } from './log-tools'
import { type LogFinding, useCurrentMatch, useLogFind } from './use-log-find'

type NoLinesProps = { readonly servers: readonly ServerView[]; readonly controls: LogControls }

function NoLines({ servers, controls }: NoLinesProps): JSX.Element {
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
      message={`Output of ${servers.length === 1 && only ? only.name : 'these servers'} appears here.`}
    />
  )
}

function State(props: NoLinesProps & { readonly window: LogRowCache }): JSX.Element | null {
  const { extent, refresh } = props.window
  if (extent.problem)
    return <ProblemState title="Can’t load the log" problem={extent.problem} onRetry={refresh} />
  if (extent.isReading) return <Skeleton label="Loading log" />
  return extent.end > extent.first ? null : <NoLines {...props} />
}

/** Shows a server's log file in the file manager, or a toast with its path if there is no file manager. */
async function showLogFile(installationId: string): Promise<void> {
  const { path, isShown } = await call('log.showFile', { installationId })
  if (isShown) return
  showToast({
    message: `Log file: ${path}`,
    action: { label: 'Copy path', onAct: () => copyText(path, 'Path copied.') },
  })
}

function Notes(props: {
  readonly finding: LogFinding
  readonly children: ReactNode
}): JSX.Element | null {
  const { finding, children } = props
  const problem = finding.found?.problem ?? finding.problem?.message
  if (problem === undefined && !children) return null
  return (
    <div className="flex-none border-b border-line px-5 py-2 text-small text-muted">
      {problem !== undefined && (
        <p className="is-error text-status" role="status">
          {problem}
        </p>
      )}
      {children}
    </div>
  )
}

/** The log of one server, or the merged logs of several: live, searchable, filtered by level, source and time. */
export function LogView(props: {
  readonly servers: readonly ServerView[]
  /** First element of the bar. */
  readonly lead?: ReactNode
}): JSX.Element {
  const { servers, lead } = props
  const names = servers.map(({ name }) => name)
  const only = servers.length === 1 ? servers[0] : undefined
  const controls = useLogControls(
    servers.map(({ installationId }) => installationId),
    only?.phases[0]?.startedAt,
  )
  const { query, wanted, setFilter } = controls
  const window = useLogRowCache(query, wanted)
  const { extent } = window
  const following = useFollowState(extent.end)
  const finding = useLogFind(query, wanted, () => Math.max(extent.first, window.inView.to - 1))
  const { match, goTo } = useCurrentMatch(controls, finding)
  const { saving, save, cancel } = useSaving()
  const [, navigate] = useLocation()
  const landmark = async (kind: 'mark' | 'error'): Promise<void> => {
    const from = match && !following.isFollowing ? match.row : extent.end
    const row = await call('log.landmark', { query, kind, from, step: 'previous' })
    if (row !== null) goTo(row)
    else showToast({ message: kind === 'error' ? 'No errors found.' : 'No start found.' })
  }
  const acts: LogActions = {
    isPaused: following.upTo !== null,
    togglePause: following.upTo === null ? following.pause : following.follow,
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
    <div className="log relative flex min-h-0 flex-1 flex-col">
      <LogTools {...{ controls, finding, acts, lead }} hasStart={(only?.phases.length ?? 0) > 0} />
      <Notes finding={finding}>
        {saving && <SavingNotice saving={saving} things="lines" onCancel={cancel} />}
      </Notes>
      <div className="log-body relative flex min-h-0 flex-1 flex-col">
        <State window={window} servers={servers} controls={controls} />
        <LogLines
          key={JSON.stringify(query)}
          label={only ? `Log of ${only.name}` : 'Logs of several servers'}
          window={window}
          place={following}
          match={match}
          wrap={controls.wrap}
          names={only ? null : names}
        />
      </div>
    </div>
  )
}

function summaryText(shown: readonly ServerView[], count: number): string {
  if (shown.length === count) return 'All servers'
  return shown.length === 1 && shown[0] ? shown[0].name : `${formatCount(shown.length)} servers`
}

/** The merged logs of several servers, each line with its server's name. */
export function LogsPage(): JSX.Element {
  const servers = useServers()
  const [hidden, setHidden] = useState<readonly string[]>([])
  const visible = servers.filter(({ installationId }) => !hidden.includes(installationId))
  const shown = visible.length > 0 ? visible : servers
  const choices = servers.map(({ installationId, name }) => ({
    value: installationId,
    label: name,
  }))
  const shownIds = shown.map(({ installationId }) => installationId)
  const summary = summaryText(shown, servers.length)
  // At least one server stays selected.
  const hide = (value: string, isChosen: boolean): void => {
    const ids = choices.map((choice) => choice.value)
    const remaining = ids.filter((id) => (id === value ? !isChosen : !shownIds.includes(id)))
    if (remaining.length < ids.length) setHidden(remaining)
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
                <Button variant="quiet" size="small" aria-label={`Servers: ${summary}`}>
                  <span className="truncate">{summary}</span>
                  <ChevronDown className="icon icon-s" aria-hidden />
                </Button>
              }
            >
              <MenuAction onSelect={() => setHidden([])}>All servers</MenuAction>
              <MenuSeparator />
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
