import { X } from 'lucide-react'
import {
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

import type { Question, QuestionAnswer } from '../../../src-shared/domain/agents/question'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { useAction } from '../../ipc/use-action'
import { useNow } from '../../stores/now'
import { IconButton } from '../../ui/controls/icon-button'
import { ProblemText } from '../../ui/fields/problem-text'
import { isTyping } from '../../ui/marks/shortcuts'
import { Tile } from '../../ui/marks/tile'
import { Dialog } from '../../ui/overlays/dialog'
import { holdToasts } from '../../ui/overlays/toast'
import { problemWords } from '../../ui/text/problem-messages'
import { visibleText } from '../../ui/text/visible-text'
import { questionTitle, timeLeft } from './question-messages'
import { answerQuestion, leaveForLater, useQueuedQuestions, useServerName } from './question-store'

/** The seconds of a question's last minute. */
export function TimeLeft({ question }: { readonly question: Question }): ReactElement | null {
  const words = timeLeft(question, useNow(500))
  return words === undefined ? null : (
    <span className="tone is-degraded small num nowrap" role="timer">
      {words}
    </span>
  )
}

function Place({ question }: { readonly question: Question }): ReactElement | null {
  const questions = useQueuedQuestions()
  if (questions.length < 2) return null
  const index = questions.findIndex(({ questionId }) => questionId === question.questionId)
  return <span className="faint small num nowrap">{`${index + 1} of ${questions.length}`}</span>
}

/** Whether questions stand in the page, where they are asked, and not in a dialog over it. */
export const InPage = createContext(false)

type FrameProps = {
  readonly question: Question
  readonly answering: Answering
  /** Who asks, and what it says. */
  readonly said: ReactNode
  readonly wide?: boolean
  readonly children: ReactNode
  readonly actions: ReactNode
}

/** Who asks, how long it waits, and the ways to leave it, around a question. */
export function QuestionFrame(props: FrameProps): ReactElement {
  return use(InPage) ? <PageFrame {...props} /> : <DialogFrame {...props} />
}

function Rejection({ answering: { problem } }: Pick<FrameProps, 'answering'>): ReactElement | null {
  if (problem === undefined) return null
  return (
    <div className="above-4">
      <ProblemText topic={problem.code}>{problemWords(problem)}</ProblemText>
    </div>
  )
}

function CloseButton({ answering }: Pick<FrameProps, 'answering'>): ReactElement {
  return (
    <IconButton
      small
      icon={X}
      label="Dismiss without answering"
      disabled={answering.isResting}
      onClick={() => answering.send({ kind: 'dismiss' })}
    />
  )
}

/** It gets the focus when it comes, unless somebody types elsewhere. */
function PageFrame({ question, answering, said, children, actions }: FrameProps): ReactElement {
  const id = useId()
  const server = useServerName()(question)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isTyping(document.activeElement)) section.current?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section
      ref={section}
      className="question-here pad-3 stack gap-2 box subtle"
      aria-labelledby={id}
      tabIndex={-1}
    >
      <div className="dialog-head row at-top gap-2">
        <h2 id={id} className="dialog-title title grow">
          {questionTitle(question, server)}
        </h2>
        <span className="row gap-1 fixed">
          <TimeLeft question={question} />
          <CloseButton answering={answering} />
        </span>
      </div>
      {said}
      <div>{children}</div>
      <Rejection answering={answering} />
      <div className="actions flex gap-2">{actions}</div>
    </section>
  )
}

function DialogFrame(props: FrameProps): ReactElement {
  const { question, answering, said, wide = false, children, actions } = props
  const { isResting } = answering
  const server = useServerName()(question)
  useEffect(holdToasts, [])
  return (
    <Dialog
      comesUnasked
      wide={wide}
      onClose={() => !isResting && leaveForLater()}
      title={questionTitle(question, server)}
      lead={<Tile name={server} />}
      aside={
        <span className="row gap-1 fixed">
          <Place question={question} />
          {/* A call says below when it is denied. */}
          {question.body.kind !== 'call' && <TimeLeft question={question} />}
          <IconButton
            small
            icon={X}
            label="Answer later"
            shortcut="Escape"
            disabled={isResting}
            onClick={leaveForLater}
          />
        </span>
      }
      description={said}
      actions={actions}
    >
      <div className="question-body scroll">{children}</div>
      <Rejection answering={answering} />
    </Dialog>
  )
}

/** That it is not Patchbay who asks, for which call, and the server's own words. */
export function ServerSays(props: {
  readonly question: Question
  readonly children: ReactNode
}): ReactElement {
  const { question, children } = props
  const server = useServerName()(question)
  return (
    <>
      <div className="faint small">
        {question.agent === undefined
          ? `This request is from the server ${server}, not from Patchbay:`
          : `This request is from the server ${server}, not from Patchbay. It belongs to a call by ${visibleText(question.agent)}:`}
      </div>
      <div className="question-said quoted mid scroll above-1">{children}</div>
    </>
  )
}

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
