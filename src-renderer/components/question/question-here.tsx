import './questions.css'

import { type ReactElement, useEffect, useEffectEvent, useRef } from 'react'

import { FormQuestion } from './form-question'
import { PageQuestion } from './page-question'
import { InPage } from './question-frame'
import { isOf, showInPlace, useQuestionsOf } from './question-store'

/** What a server asks in the course of a user's own run, in the page and in no dialog while this stands. */
export function QuestionHere(props: {
  readonly toolRunId: string
  readonly onOver: () => void
}): ReactElement | null {
  const { toolRunId, onOver } = props
  const [question] = useQuestionsOf(toolRunId)
  useEffect(() => showInPlace(toolRunId), [toolRunId])
  const isAsked = question !== undefined
  const wasAsked = useRef(false)
  const end = useEffectEvent(onOver)
  useEffect(() => {
    if (wasAsked.current && !isAsked && document.activeElement === document.body) end()
    wasAsked.current = isAsked
  }, [isAsked])
  if (question === undefined) return null
  const { questionId: key } = question
  return (
    <InPage value>
      {isOf(question, 'form') && <FormQuestion key={key} question={question} />}
      {isOf(question, 'page') && <PageQuestion key={key} question={question} />}
    </InPage>
  )
}
