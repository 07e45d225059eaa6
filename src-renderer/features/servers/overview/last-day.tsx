import type { JSX } from 'react'
import { useEffect, useState } from 'react'

import type { ServerFigures } from '../../../../src-shared/domain/running/figures'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { call } from '../../../ipc/call'
import { pollWhileSeen } from '../../../ui/layout/poll-while-seen'
import { dayFigures } from './day-words'

const EVERY_MS = 30_000

/** The last 24 hours of a server in a few figures; nothing where they cannot be read, as the Figures tab says why. */
export function LastDay({
  server: { installationId, status },
}: {
  readonly server: ServerView
}): JSX.Element | null {
  const [figures, setFigures] = useState<ServerFigures>()
  useEffect(() => {
    const line = { isOver: false }
    const look = async (): Promise<void> => {
      const read = await call('figures.read', { installationId, range: '24h' }).catch(
        () => undefined,
      )
      if (!line.isOver) setFigures(read)
    }
    const stop = pollWhileSeen(document, EVERY_MS, look)
    return () => {
      line.isOver = true
      stop()
    }
    // What it did is counted anew with each turn of its status.
  }, [installationId, status.kind])
  if (figures === undefined) return null
  return (
    <section aria-labelledby="last-day">
      <div className="section-head">
        <h2 id="last-day">Last 24 hours</h2>
        <span className="grow" />
        <a className="inline-link" href={`#/servers/${installationId}/figures`}>
          Figures
        </a>
      </div>
      <dl className="day-figures stack">
        {dayFigures(figures).map(({ name, value, more }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">
              {value}
              {more !== undefined && <span className="faint">{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
