import type { JSX } from 'react'

import type { Recovery } from '../../../src-shared/domain/running/history'
import { useServers } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { PartHead } from '../../ui/layout/part-head'
import { formatMoment } from '../../ui/text/format'
import { PastRow } from './past-row'
import { usePast } from './use-past'

/** What failed in the last 24 hours and needs nobody any more; nothing where all went well. */
export function RecentErrors({
  recovered,
}: {
  /** Told of beside this list. */
  readonly recovered: readonly Recovery[]
}): JSX.Element | null {
  const now = useNow(60_000)
  const servers = useServers()
  const [failures] = usePast('history.failures')
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
      <PartHead id="errors-head" title="Recent errors" count={shown.length} />
      <ul className="needs box clip surface divided">
        {shown.map(({ installationId, eventId, at, fact, server }) => (
          <PastRow
            key={`${installationId} ${eventId}`}
            server={server}
            label={server.status.kind === 'ready' ? 'Ready again' : 'Stopped'}
            message={fact.message}
            moment={formatMoment(at, now)}
          />
        ))}
      </ul>
    </section>
  )
}
