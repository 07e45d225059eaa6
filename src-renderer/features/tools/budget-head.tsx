import type { JSX } from 'react'

import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { type AppLimit, limitsBelow, limitSentence } from '../../components/tool/app-limits'
import { toolsWords } from '../../components/tool/tool-messages'
import { useAppLimits } from '../../components/tool/use-app-limits'
import { Button } from '../../ui/controls/button'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatCount } from '../../ui/text/format'
import { headlineWords, meterEnd, tokenWords } from './budget-messages'

/** Ticks stand at their share of the scale; close to each other they would cover one another. */
const MOST_WITH_TICKS = 400

function Meter({
  exposed,
  limits,
}: {
  readonly exposed: number
  readonly limits: readonly AppLimit[]
}): JSX.Element {
  const end = meterEnd(exposed, limits)
  const at = (count: number): string => `${(100 * count) / end}%`
  const least = limits.find(({ limit }) => limit < exposed)?.limit
  const ticks = [...new Set(limits.map(({ limit }) => limit))]
  const words = limits.map(({ limit, name }) => `, limit of ${name} ${limit}`).join('')
  return (
    <>
      <div
        className="meter pressed clip above-3 anchor"
        role="img"
        aria-label={`${toolsWords(exposed)}${words}`}
      >
        <span className="budget-fill clip" style={{ width: at(exposed) }}>
          {least !== undefined && (
            <span className="budget-over" style={{ left: `${(100 * least) / exposed}%` }} />
          )}
        </span>
        {end <= MOST_WITH_TICKS &&
          ticks.map((limit) => (
            <span key={limit} className="budget-tick surface" style={{ left: at(limit) }} />
          ))}
      </div>
      {limits.length > 0 && (
        <ul className="above-2 flex wrap gap-4 rows-1 soft small" aria-label="App tool limits">
          {limits.map(({ agentId, name, limit, over }) => (
            <li key={agentId} className={`row gap-2 is-${over > 0 ? 'degraded' : 'ready'}`}>
              <StatusGlyph
                status={over > 0 ? 'degraded' : 'ready'}
                label={over > 0 ? 'Over' : 'Within'}
              />
              <span>{name}</span>
              <b className="medium ink num">{formatCount(limit)}</b>
              {over > 0 && <span className="tone num">{`${formatCount(over)} over`}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** How many tools agents can get, what they take of a context, and which connected apps take fewer. */
export function BudgetHead({
  state,
  onSuggest,
}: {
  readonly state: ToolsState
  readonly onSuggest: () => void
}): JSX.Element {
  const limits = useAppLimits()
  return (
    <div className="column stack gap-1">
      <h2 className="headline num" aria-live="polite">
        {headlineWords(state)}
      </h2>
      <p className="soft num">{tokenWords(state)}</p>
      <Meter exposed={state.exposed} limits={limits} />
      {limitsBelow(limits).length > 0 && (
        <div className="above-3 row wrap gap-3 rows-2 tone is-degraded">
          <p className="pretty">{limitSentence(limits)}</p>
          <Button size="small" onClick={onSuggest}>
            Suggest tools to turn off
          </Button>
        </div>
      )}
    </div>
  )
}
