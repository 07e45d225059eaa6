import type { JSX } from 'react'

import type { RunningCall } from '../../../src-shared/domain/agents/activity'
import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { useRequest } from '../../ipc/use-request'
import { useNow } from '../../stores/now'
import { Button } from '../../ui/controls/button'
import { useKeptFocus } from '../../ui/focus/use-kept-focus'
import { formatAge, formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'

const EVERY_MS = 1_000

function Row({ run, now }: { readonly run: RunningCall; readonly now: number }): JSX.Element {
  const { runId, agentName, serverName, target, at } = run
  const name = visibleText(target)
  return (
    <li className="row gap-3 ruled">
      <span className="row at-base gap-2 grow slim">
        <code className="cut medium">{name}</code>
        <span className="faint cut">
          {[agentName, serverName].filter((one) => one !== undefined).join(', ')}
        </span>
      </span>
      <span className="faint num nowrap">{formatAge(Math.max(now - at, 0))}</span>
      <Button
        size="small"
        aria-label={`Cancel ${name} of ${agentName}`}
        onClick={() => void call('activity.cancel', { runId }).catch(tellFailure)}
      >
        Cancel
      </Button>
    </li>
  )
}

/** Calls that take long, oldest first; nothing where there are none. */
export function RunningCalls(): JSX.Element | null {
  const { value = [] } = useRequest('activity.running', {}, { everyMs: EVERY_MS })
  const now = useNow(EVERY_MS)
  useKeptFocus(value.map(({ runId }) => runId).join(' '))
  if (value.length === 0) return null
  return (
    <section className="pad-line fixed" aria-labelledby="running-calls">
      <h2 id="running-calls" className="small soft">
        Running <span className="num">{formatCount(value.length)}</span>
      </h2>
      <ul className="running-calls scroll" aria-labelledby="running-calls">
        {value.map((run) => (
          <Row key={run.runId} run={run} now={now} />
        ))}
      </ul>
    </section>
  )
}
