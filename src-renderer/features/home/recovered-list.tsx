import type { JSX } from 'react'

import { isWorking } from '../../../src-shared/domain/running/run-status'
import { useServers } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { Button } from '../../ui/controls/button'
import { PartHead } from '../../ui/layout/part-head'
import { formatMoment } from '../../ui/text/format'
import { PastRow } from './past-row'
import type { Recoveries } from './use-recoveries'

/** What failed and mended itself since the person was last done with this list; nothing where nothing did. */
export function RecoveredList({ found, dismiss }: Recoveries): JSX.Element | null {
  const now = useNow(60_000)
  const servers = useServers()
  const shown = found.flatMap((recovery) => {
    const server = servers.find(({ installationId }) => installationId === recovery.installationId)
    // One that is down again stands among what needs attention, or is tried.
    return server && isWorking(server.status) ? [{ recovery, server }] : []
  })
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="recovered-head">
      <PartHead id="recovered-head" title="Recently recovered" count={shown.length}>
        <Button size="small" variant="quiet" onClick={dismiss}>
          Dismiss
        </Button>
      </PartHead>
      <ul className="needs box clip surface divided">
        {shown.map(({ recovery: { installationId, eventId, at, message }, server }) => (
          <PastRow
            key={`${installationId} ${eventId}`}
            server={server}
            label="Ready again"
            message={message}
            moment={`Ready again ${formatMoment(at, now)}.`}
          />
        ))}
      </ul>
    </section>
  )
}
