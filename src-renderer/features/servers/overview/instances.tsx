import type { JSX } from 'react'

import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { serverActions } from '../../../components/server/server-actions'
import { useNow } from '../../../stores/now'
import { Button } from '../../../ui/controls/button'
import { useKeptFocus } from '../../../ui/focus/use-kept-focus'
import { PartHead } from '../../../ui/layout/part-head'
import { formatCount, formatFull, formatMoment } from '../../../ui/text/format'
import { instanceName, instanceWords } from './instance-messages'

/** The processes of a server that not all apps share, each with its app; nothing where all share one. */
export function Instances({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { installationId, instances, sharing } = server
  const now = useNow(60_000)
  // The button that was pressed goes with its process.
  useKeptFocus(instances.map(({ instanceId }) => instanceId).join(' '))
  if (sharing === 'shared' && instances.length === 0) return null
  return (
    <section aria-labelledby="instances">
      <PartHead id="instances" title="Processes of apps">
        <span className="num soft">{formatCount(instances.length)}</span>
      </PartHead>
      {instances.length === 0 && (
        <p className="soft">A process appears here when an app first calls this server.</p>
      )}
      <ul className="roomy" aria-labelledby="instances">
        {instances.map((one) => (
          <li key={one.instanceId} className="row gap-3 ruled">
            <div className="grow stack break">
              <p>
                <b>{instanceName(one)}</b>{' '}
                <span className="faint">
                  since{' '}
                  <time
                    dateTime={new Date(one.startedAt).toISOString()}
                    title={formatFull(one.startedAt)}
                  >
                    {formatMoment(one.startedAt, now)}
                  </time>
                </span>
              </p>
              <p className="soft num">{instanceWords(one)}</p>
            </div>
            <Button
              size="small"
              aria-label={`Stop ${instanceName(one)}`}
              onClick={() => void serverActions.endInstance(installationId, one.instanceId)}
            >
              Stop
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
