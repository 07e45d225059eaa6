import '../../components/question/questions.css'

import type { ReactElement } from 'react'
import { useEffect } from 'react'

import { CallQuestion } from '../../components/question/call-question'
import { FormQuestion } from '../../components/question/form-question'
import { PageQuestion } from '../../components/question/page-question'
import { isOf } from '../../components/question/question-of'
import { followQuestions, useShownQuestion } from '../../components/question/question-store'
import { isTyping } from '../../ui/marks/shortcuts'
import { isCovered } from '../../ui/overlays/is-covered'

/** Nothing lies over the page, and nobody types. */
function mayOpen(): boolean {
  return !isCovered() && !isTyping(document.activeElement)
}

/** The question that is shown over whatever page the user is on; one that nobody is disturbed by comes by itself. */
export function QuestionDialog(): ReactElement | null {
  useEffect(() => followQuestions(mayOpen), [])
  const question = useShownQuestion()
  if (question === undefined) return null
  const { questionId: key } = question
  if (isOf(question, 'form')) return <FormQuestion key={key} question={question} />
  if (isOf(question, 'page')) return <PageQuestion key={key} question={question} />
  return isOf(question, 'call') ? <CallQuestion key={key} question={question} /> : null
}
