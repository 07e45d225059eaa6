import type { JSX } from 'react'

import { Button } from '../../ui/controls/button'
import type { Decisions } from './use-decisions'
import { decisionWords, INSTEAD } from './use-decisions'

/** What was decided last, spoken when it comes, with the button that turns it round; `rest` stands there before. */
export function LastDecision({
  decisions: { last, settle },
  rest,
}: {
  readonly decisions: Decisions
  readonly rest: string
}): JSX.Element {
  return (
    <div className="last-decision row wrap gap-2 rows-0 slim soft small break">
      <p role="status">{last === null ? rest : decisionWords(last)}</p>
      {last !== null && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => void settle(INSTEAD[last.verdict].verdict, last.tools)}
        >
          {INSTEAD[last.verdict].label}
        </Button>
      )}
    </div>
  )
}
