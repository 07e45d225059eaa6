import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { useNow } from '../../../stores/now'
import { PartHead } from '../../../ui/layout/part-head'
import { HistoryRow } from '../history/history-row'
import { useHistory } from '../history/use-history'

const SHOWN = 6

/** What happened to a server last: starts with their steps, failures with their sentence. Nothing before anything did. */
export function RecentEvents({ server }: { readonly server: ServerView }): JSX.Element | null {
  const now = useNow(60_000)
  const { data } = useHistory(server)
  if (data === undefined || data.total === 0) return null
  return (
    <section aria-labelledby="lately">
      <PartHead id="lately" title="Recent events">
        <a className="underlined" href={`#/servers/${server.installationId}/history`}>
          History
        </a>
      </PartHead>
      <ol className="history-list lately roomy" aria-label="Recent events, newest first">
        {data.events.slice(0, SHOWN).map((event) => (
          <HistoryRow key={event.eventId} event={event} now={now} />
        ))}
      </ol>
    </section>
  )
}
