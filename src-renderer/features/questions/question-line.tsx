import type { ReactElement } from 'react'

import type { Question } from '../../../src-shared/domain/agents/question'
import { TimeLeft } from '../../components/question/question-frame'
import { questionTitle } from '../../components/question/question-messages'
import {
  showQuestions,
  useQueuedQuestions,
  useServerName,
} from '../../components/question/question-store'
import { Button } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'
import { counted } from '../../ui/text/format'

/** A title that asks needs no full stop. */
function bannerTitle(question: Question, server: string): string {
  const title = questionTitle(question, server)
  return title.endsWith('?') ? title : `${title}.`
}

/** Stands above every page while a question waits. */
export function QuestionLine(): ReactElement | null {
  const questions = useQueuedQuestions()
  const nameOf = useServerName()
  const [first] = questions
  if (first === undefined) return null
  const others = questions.length - 1
  return (
    <div
      className="page-banners mid pad-3 scroll stack gap-2 fixed ruled"
      role="region"
      aria-label="Requests"
    >
      <Banner
        severity="info"
        title={bannerTitle(first, nameOf(first))}
        action={
          <>
            <TimeLeft key={first.questionId} question={first} />
            <Button size="small" onClick={showQuestions}>
              Answer
            </Button>
          </>
        }
      >
        {others > 0 && `${counted(others, 'more request')}.`}
      </Banner>
    </div>
  )
}
