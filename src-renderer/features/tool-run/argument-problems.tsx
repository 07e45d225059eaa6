import type { JSX } from 'react'

import type { ValueProblem } from '../../components/schema-form/checking/problem-messages'
import { ProblemText } from '../../ui/fields/problem-text'
import { WarnText } from '../../ui/fields/warn-text'
import { counted } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'

/** Most places that are named before the rest is counted. */
const NAMED = 5

function problemWords({ path, message }: ValueProblem): string {
  return path.length === 0 ? message : `${visibleText(path.join('.'))}: ${message}`
}

/** All that does not fit, in one place, so that nothing is missed that has no field. */
export function ArgumentProblems({
  problems,
  isHeldBack,
}: {
  readonly problems: readonly ValueProblem[]
  /** Whether nothing was sent because of them. */
  readonly isHeldBack: boolean
}): JSX.Element | null {
  if (problems.length === 0) return null
  const named = problems.slice(0, NAMED).map(problemWords).join(' ')
  const rest = problems.length - NAMED
  const more = rest > 0 ? ` ${counted(rest, 'more problem')}.` : ''
  return isHeldBack ? (
    <ProblemText>{`Not sent. ${named}${more} To send it anyway, use the JSON tab.`}</ProblemText>
  ) : (
    <WarnText>{`Doesn’t match the tool’s schema: ${named}${more}`}</WarnText>
  )
}
