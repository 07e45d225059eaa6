import type { JSX } from 'react'

import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { AGENT_LIMITS } from '../../tool-parts/agent-limits'
import { Button } from '../../ui/controls/button'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatCount } from '../../ui/text/elapsed'
import { headlineWords, limitsBelow, limitSentence, meterEnd, proofWords } from './budget-words'

/** Ticks stand at their share of the scale; close to each other they would cover one another. */
const MOST_WITH_TICKS = 400

function Meter({ state }: { readonly state: ToolsState }): JSX.Element {
  const { exposed } = state
  const end = meterEnd(state)
  const at = (count: number): string => `${(100 * count) / end}%`
  const [least] = limitsBelow(exposed)
  const share = (limit: number): number => (100 * limit) / exposed
  const words = AGENT_LIMITS.map(({ limit, agent }) => `${agent} takes ${limit}`).join(', ')
  return (
    <>
      <div
        className="meter pressed clip above-3 anchor"
        role="img"
        aria-label={`${exposed} tools; ${words}`}
      >
        <span className="budget-fill clip" style={{ width: at(exposed) }}>
          {least && <span className="budget-over" style={{ left: `${share(least.limit)}%` }} />}
        </span>
        {end <= MOST_WITH_TICKS &&
          AGENT_LIMITS.map(({ limit }) => (
            <span key={limit} className="budget-tick surface" style={{ left: at(limit) }} />
          ))}
      </div>
      <ul
        className="above-2 flex wrap gap-4 rows-1 soft small"
        aria-label="How many tools agents take"
      >
        {AGENT_LIMITS.map(({ limit, agent }) => (
          <li key={limit} className={`row gap-2 is-${exposed > limit ? 'degraded' : 'ready'}`}>
            <StatusGlyph
              status={exposed > limit ? 'degraded' : 'ready'}
              label={exposed > limit ? 'Over' : 'Within'}
            />
            <span>{agent}</span>
            <b className="medium ink num">{limit}</b>
            {exposed > limit && (
              <span className="tone num">{`${formatCount(exposed - limit)} over`}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

/** The answer of the page, what the tools take of a context, and which agents take fewer. */
export function BudgetHead({
  state,
  onSuggest,
}: {
  readonly state: ToolsState
  readonly onSuggest: () => void
}): JSX.Element {
  const below = limitsBelow(state.exposed)
  return (
    <div className="column stack gap-1">
      <h2 className="headline num" aria-live="polite">
        {headlineWords(state)}
      </h2>
      <p className="soft num">{proofWords(state)}</p>
      <Meter state={state} />
      {(below.length > 0 || state.overCap > 0) && (
        <div className="above-3 row wrap gap-3 rows-2 tone is-degraded">
          {below.length > 0 && <p className="pretty">{limitSentence(below)}</p>}
          <Button size="small" onClick={onSuggest}>
            Suggest what to switch off
          </Button>
        </div>
      )}
    </div>
  )
}
