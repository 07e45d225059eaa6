import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { useRequest } from '../../../ipc/use-request'
import { PartHead } from '../../../ui/layout/part-head'
import { dayMetrics } from './day-messages'

const EVERY_MS = 30_000

/** The last 24 hours of a server in a few figures; nothing where they cannot be read, as the Figures tab says why. */
export function LastDay({
  server: { installationId, status },
}: {
  readonly server: ServerView
}): JSX.Element | null {
  // What it did is counted anew with each turn of its status.
  const { value, problem } = useRequest(
    'metrics.read',
    { installationId, range: '24h' },
    { state: [status.kind], everyMs: EVERY_MS },
  )
  if (value === undefined || problem) return null
  return (
    <section aria-labelledby="last-day">
      <PartHead id="last-day" title="Last 24 hours">
        <a className="underlined" href={`#/servers/${installationId}/figures`}>
          Metrics{' '}
        </a>
      </PartHead>
      <dl className="beside gap-4 rows-2">
        {dayMetrics(value).map(({ name, value, more }) => (
          <div key={name}>
            <dt className="soft">{name}</dt>
            <dd className="num stack medium">
              {value}
              {more !== undefined && <span className="faint regular">{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
