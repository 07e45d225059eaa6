import clsx from 'clsx'
import type { JSX } from 'react'

import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { type AppLimit, limitsBelow, limitSentence } from '../../components/tool/app-limits'
import { useAppLimits } from '../../components/tool/use-app-limits'
import { Button } from '../../ui/controls/button'
import { formatCount } from '../../ui/text/format'
import { headlineWords, tokenWords } from './budget-messages'

/** One bar for each connected app: how many of the tools that it may list it would list. */
function Limits({ limits }: { readonly limits: readonly AppLimit[] }): JSX.Element | null {
  if (limits.length === 0) return null
  return (
    <ul className="app-limits above-3 stack level gap-3 rows-1 small" aria-label="App tool limits">
      {limits.map(({ agentId, name, tools, limit, over }) => (
        <li key={agentId} className="fact">
          <span className="cut">{name}</span>
          <span className="meter pressed clip anchor" aria-hidden>
            <span
              className={clsx('budget-fill', over > 0 && 'is-over')}
              style={{ width: `${100 * Math.min(1, tools / limit)}%` }}
            />
          </span>
          <span className="num nowrap soft">
            {`${formatCount(tools)} of ${formatCount(limit)}`}
            {over > 0 && <b className="tone is-degraded medium">{`, ${formatCount(over)} over`}</b>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** How many tools agents can get, what they take of a context, and how much of its limit each app uses. */
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
      <Limits limits={limits} />
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
