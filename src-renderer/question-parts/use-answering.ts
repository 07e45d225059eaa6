import { useEffect, useState } from 'react'

import type { Question, QuestionAnswer } from '../../src-shared/domain/agents/question'
import type { AppErrorShape } from '../../src-shared/domain/app-error'
import { answerQuestion } from './question-store'

/** What was pressed before a question could be seen is no answer to it. */
const QUIET_MS = 500

/** Sends the answer to a question; buttons rest until it is in sight, and while an answer is under way. */
export type Answering = {
  readonly isResting: boolean
  readonly problem: AppErrorShape | undefined
  readonly send: (answer: QuestionAnswer) => void
}

/** Answers a question that comes into sight with the component. */
export function useAnswering(question: Question): Answering {
  const [isQuiet, setIsQuiet] = useState(true)
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<AppErrorShape | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => setIsQuiet(false), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  const isResting = isQuiet || isSending
  const send = (answer: QuestionAnswer): void => {
    if (isResting) return
    setIsSending(true)
    void answerQuestion(question, answer).then((refused) => {
      setProblem(refused)
      setIsSending(false)
    })
  }
  return { isResting, problem, send }
}
