import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { useNow } from '../../../stores/now'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { BlankState } from '../../../ui/layout/blank-state'
import { ProblemState } from '../../../ui/layout/problem-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { formatCount } from '../../../ui/text/format'
import { problemWords } from '../../../ui/text/problem-messages'
import { HistoryRow } from './history-row'
import { useHistory } from './use-history'

/** What happened to a server, newest first, over all runs. */
export function HistoryPanel({ server }: { readonly server: ServerView }): JSX.Element {
  const now = useNow(60_000)
  const { read, more, retry } = useHistory(server)
  const { page, problem } = read
  return (
    <div className="tab-body fill scroll" tabIndex={0} role="region" aria-label="History">
      <div className="tab-inner column">
        {problem && !page && (
          <ProblemState title="Can’t load the history" problem={problem} onRetry={retry} />
        )}
        {problem && page && (
          <Banner severity="warn" title="Can’t load the history." topic={problem.code}>
            {problemWords(problem)}
          </Banner>
        )}
        {!page && !problem && <Skeleton label="Reading the history" rows={6} />}
        {page?.total === 0 && (
          <BlankState
            art="waiting"
            title="No history yet"
            message="Starts, failures, updates, and configuration changes of the last 90 days appear here."
          />
        )}
        {page && page.total > 0 && (
          <>
            <ol
              className="history-list roomy"
              aria-label={`History of ${server.name}, newest first`}
            >
              {page.events.map((event) => (
                <HistoryRow key={event.eventId} event={event} now={now} />
              ))}
            </ol>
            {more && (
              <Button size="small" className="above-3" onClick={more}>
                {`Show more (${formatCount(page.total)} in all)`}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  )
}
