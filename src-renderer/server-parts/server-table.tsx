import type { JSX, ReactNode } from 'react'
import { Link } from 'wouter'

import type { ServerView } from '../../src-shared/domain/app-state'
import { isActive } from '../../src-shared/domain/run-status'
import { useNow } from '../stores/now'
import { formatCount, formatDuration } from '../ui/elapsed'
import { StatusGlyph } from '../ui/status-glyph'
import { statusWords } from '../ui/status-words'
import { PhaseBar } from './phase-bar'
import { startSpan } from './phase-times'
import { tickOf } from './tick'

function StateCell({
  server,
  now,
}: {
  readonly server: ServerView
  readonly now: number
}): JSX.Element {
  const { word, brief } = statusWords(server, now)
  const isReady = server.status.kind === 'ready'
  return (
    <td className={`state is-${server.status.kind}`}>
      <span className={isReady ? undefined : 'st'}>{isReady ? word : `${word}:`}</span> {brief}
      {isActive(server.status) && server.unapplied.length > 0 && ', restart to apply'}
    </td>
  )
}

function ToolsCell({ server: { status, counts } }: { readonly server: ServerView }): JSX.Element {
  const works = status.kind === 'ready' || status.kind === 'degraded'
  return <td className="right num soft hide-small">{works ? formatCount(counts.tools) : '–'}</td>
}

/** One row for each server: name, state in words, the newest start, tools, and what `renderEnd` adds. */
export function ServerTable({
  servers,
  labelledBy,
  label,
  renderEnd,
  endHeads,
}: {
  readonly servers: readonly ServerView[]
  readonly labelledBy?: string
  readonly label?: string
  /** Further cells of a row. */
  readonly renderEnd?: (server: ServerView) => ReactNode
  /** Their heads. */
  readonly endHeads?: ReactNode
}): JSX.Element {
  const now = useNow(Math.min(...servers.map((server) => tickOf(server)), 20_000))
  return (
    <table className="grid-table servers" aria-labelledby={labelledBy} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Server</th>
          <th scope="col">State</th>
          <th scope="col" colSpan={2} className="hide-narrow">
            Last start
          </th>
          <th scope="col" className="right hide-small">
            Tools
          </th>
          {endHeads}
        </tr>
      </thead>
      <tbody>
        {servers.map((server) => {
          const { installationId, name, status, phases } = server
          return (
            <tr key={installationId}>
              <th scope="row" className="server-name">
                <span className="line-up">
                  <StatusGlyph status={status.kind} />
                  <Link href={`/servers/${installationId}`} className="cut">
                    {name}
                  </Link>
                </span>
              </th>
              <StateCell server={server} now={now} />
              <td className="hide-narrow">
                {phases.length > 0 && <PhaseBar phases={phases} now={now} />}
              </td>
              <td className="right num soft hide-narrow">
                {phases.length > 0 ? formatDuration(startSpan(phases, now)) : '–'}
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
