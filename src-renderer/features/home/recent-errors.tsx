import type { JSX } from 'react'
import { useEffect, useState } from 'react'

import type { RecentFailure, Recovery } from '../../../src-shared/domain/running/history'
import { call } from '../../ipc/call'
import { useServers } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { ButtonLink } from '../../ui/controls/button'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatCount, formatMoment } from '../../ui/text/elapsed'

/** What failed lately, read again whenever the state of a server becomes another. */
function useFailures(): readonly RecentFailure[] {
  const [failures, setFailures] = useState<readonly RecentFailure[]>([])
  const states = useServers()
    .map(
      ({ installationId, status, statusSince }) =>
        `${installationId} ${status.kind} ${statusSince}`,
    )
    .join()
  useEffect(() => {
    const line = { isOver: false }
    const look = async (): Promise<void> => {
      try {
        const found = await call('history.failures', {})
        if (!line.isOver) setFailures(found)
      } catch {
        // What needs a person stands above all the same; a list of what is over can wait.
        if (!line.isOver) setFailures([])
      }
    }
    void look()
    return () => {
      line.isOver = true
    }
  }, [states])
  return failures
}

/** What failed in the last 24 hours and needs nobody any more; nothing where all went well. */
export function RecentErrors({
  recovered,
}: {
  /** Told of beside this list. */
  readonly recovered: readonly Recovery[]
}): JSX.Element | null {
  const now = useNow(60_000)
  const servers = useServers()
  const failures = useFailures()
  const shown = failures.flatMap((failure) => {
    const server = servers.find(({ installationId }) => installationId === failure.installationId)
    // What stands in the list of what needs attention is not told twice.
    const isMended = server && (server.status.kind === 'ready' || server.status.kind === 'stopped')
    const isTold = recovered.some(
      ({ installationId, failedAt, at }) =>
        installationId === failure.installationId && failure.at >= failedAt && failure.at <= at,
    )
    return isMended && !isTold && failure.fact.kind === 'failed'
      ? [{ ...failure, fact: failure.fact, server }]
      : []
  })
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="errors-head">
      <div className="section-head">
        <h2 id="errors-head">Recent errors</h2>
        <span className="count">{formatCount(shown.length)}</span>
      </div>
      <ul className="needs">
        {shown.map(({ installationId, eventId, at, fact, server }) => (
          <li key={`${installationId} ${eventId}`}>
            <StatusGlyph
              status={server.status.kind}
              label={server.status.kind === 'ready' ? 'Ready again' : 'Stopped'}
            />
            <div className="why">
              <p>
                <b>{server.name}</b>: {fact.message}{' '}
                <span className="faint num">{formatMoment(at, now)}</span>
              </p>
            </div>
            <ButtonLink
              size="small"
              href={`/servers/${installationId}/log`}
              aria-label={`View log, ${server.name}`}
            >
              View log
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
