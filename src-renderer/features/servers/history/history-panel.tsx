import type { JSX, ReactNode } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { toErrorShape } from '../../../ipc/call'
import { useNow } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { BlankState, ScrollRegion, Skeleton } from '../../../ui/layout/page'
import { ListProblem } from '../../../ui/layout/problem-state'
import { formatCount } from '../../../ui/text/format'
import { HistoryRow, useHistory } from './history-row'

/** The events of a server, newest first, across restarts of the app. */
export function HistoryPanel(props: {
  readonly server: ServerView
  /** First element of the bar. */
  readonly lead: ReactNode
}): JSX.Element {
  const { server, lead } = props
  const now = useNow(60_000)
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useHistory(server)
  const problem = error === null ? undefined : toErrorShape(error)
  return (
    <>
      <div className="list-bar flex flex-none items-center border-b border-line">{lead}</div>
      <ScrollRegion className="tab-body min-h-0 flex-1" label="History">
        <div className="tab-inner max-w-page">
          {problem && (
            <ListProblem
              title="Can’t load the history"
              problem={problem}
              isShown={data !== undefined}
              onRetry={() => void refetch()}
            />
          )}
          {!data && !problem && <Skeleton label="Reading the history" rows={6} />}
          {data?.total === 0 && (
            <BlankState
              art="waiting"
              title="No history yet"
              message="Starts, failures, updates, and configuration changes of the last 90 days appear here."
            />
          )}
          {data && data.total > 0 && (
            <>
              <ol
                className="history-list *:py-2"
                aria-label={`History of ${server.name}, newest first`}
              >
                {data.events.map((event) => (
                  <HistoryRow key={event.eventId} event={event} now={now} />
                ))}
              </ol>
              {hasNextPage && (
                <Button
                  size="small"
                  className="mt-3"
                  busy={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  {`Show more (${formatCount(data.total)} in all)`}
                </Button>
              )}
            </>
          )}
        </div>
      </ScrollRegion>
    </>
  )
}
