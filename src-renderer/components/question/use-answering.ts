import { useEffect, useState } from 'react'

import type { Question, QuestionAnswer } from '../../../src-shared/domain/agents/question'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { useAction } from '../../ipc/use-action'
import { answerQuestion } from './question-store'

/** What was pressed before a question could be seen is no answer to it. */
const QUIET_MS = 500

/** Sends the answer to a question; buttons rest until it is in sight, and while an answer is under way. */
export type Answering = {
  readonly isResting: boolean
  readonly problem: AppErrorShape | undefined
  readonly send: (answer: QuestionAnswer) => void
}

/** Whether what `key` stands for came into sight only now, so that buttons rest. */
export function useQuietTime(key: string): boolean {
  const [seen, setSeen] = useState<string | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => setSeen(key), QUIET_MS)
    return () => clearTimeout(timer)
  }, [key])
  return seen !== key
}

/** Answers a question that comes into sight with the component. */
export function useAnswering(question: Question): Answering {
  const isQuiet = useQuietTime(question.questionId)
  const [problem, setProblem] = useState<AppErrorShape | undefined>(undefined)
  const { isBusy, run } = useAction(
    (answer: QuestionAnswer) => answerQuestion(question, answer),
    setProblem,
  )
  const isResting = isQuiet || isBusy
  return { isResting, problem, send: (answer) => !isResting && run(answer) }
}
