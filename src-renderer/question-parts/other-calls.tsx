import type { ReactElement } from 'react'
import { useState } from 'react'

import type { QuestionAnswer } from '../../src-shared/domain/agents/question'
import { Button } from '../ui/controls/button'
import { counted } from '../ui/text/format'
import { visibleText } from '../ui/text/visible-text'
import { isOf, type QuestionOf } from './question-of'
import { answerQuestion, askerName, useDeskQuestions } from './question-store'

/** More are counted. */
const MOST_SHOWN = 4

function natureOf({ body }: QuestionOf<'call'>): string {
  if (body.isReadOnly === true) return 'Read-only'
  return body.isDestructive ? 'Destructive' : ''
}

/** The other calls that wait for approval, with one answer for all of them. */
export function OtherCalls({
  question,
  isResting,
}: {
  readonly question: QuestionOf<'call'>
  readonly isResting: boolean
}): ReactElement | null {
  const [isBusy, setIsBusy] = useState(false)
  const calls = useDeskQuestions().filter((one): one is QuestionOf<'call'> => isOf(one, 'call'))
  const others = calls.filter(({ questionId }) => questionId !== question.questionId)
  if (others.length === 0) return null
  const readOnly = calls.filter(({ body }) => body.isReadOnly === true)
  const answerAll = async (
    some: readonly QuestionOf<'call'>[],
    answer: QuestionAnswer,
  ): Promise<void> => {
    setIsBusy(true)
    // Each has its own outcome: one that is over meanwhile stops no other.
    await Promise.all(some.map((one) => answerQuestion(one, answer)))
    setIsBusy(false)
  }
  const left = others.length - MOST_SHOWN
  return (
    <section className="subtle box pad-row stack gap-2" aria-label="Other waiting calls">
      <div className="row wrap gap-2">
        <h3 className="grow medium ink">{`${others.length} more waiting`}</h3>
        <Button
          size="small"
          variant="quiet"
          disabled={isResting || isBusy}
          onClick={() => void answerAll(calls, { kind: 'deny' })}
        >
          {`Deny all ${calls.length}`}
        </Button>
        {readOnly.length > 0 && (
          <Button
            size="small"
            disabled={isResting || isBusy}
            onClick={() =>
              void answerAll(readOnly, { kind: 'allow', scope: 'once', target: 'tool' })
            }
          >
            {`Allow ${readOnly.length} read-only`}
          </Button>
        )}
      </div>
      <ul className="stack gap-1">
        {others.slice(0, MOST_SHOWN).map((one) => (
          <li key={one.questionId} className="row gap-2">
            <span className="grow cut">
              {one.agent !== undefined && `${visibleText(one.agent)}: `}
              <code>{visibleText(one.body.tool)}</code>
              {` on ${askerName(one)}`}
            </span>
            <span className="soft small">{natureOf(one)}</span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className="soft small">{counted(left, 'more call')}</p>}
    </section>
  )
}
