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

import type { UserRequest, UserRequestAnswer } from '../../../src-shared/domain/agents/user-request'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { useAction } from '../../ipc/use-request'
import { useNow } from '../../stores/app-store'
import { Button, IconButton } from '../../ui/controls/button'
import { ProblemText } from '../../ui/fields/field'
import { isTyping } from '../../ui/marks/shortcuts'
import { Tile } from '../../ui/marks/tile'
import { Dialog } from '../../ui/overlays/dialog'
import { holdToasts } from '../../ui/overlays/toast'
import { problemText } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'
import { visibleText } from '../../ui/text/untrusted-text'
import {
  answerRequest,
  postponeShown,
  requestTitle,
  timeLeft,
  useQueuedRequests,
  useServerName,
} from './user-request-store'

/** The remaining seconds of a request, in its last minute. */
export function TimeLeft({ request }: { readonly request: UserRequest }): ReactElement | null {
  const text = timeLeft(request, useNow(500))
  return text === undefined ? null : (
    <span
      className="is-degraded text-small whitespace-nowrap text-status tabular-nums"
      role="timer"
    >
      {text}
    </span>
  )
}

/** Whether requests appear in the page instead of in a dialog. */
export const InPage = createContext(false)

type FrameProps = {
  readonly request: UserRequest
  readonly answering: AnswerState
  /** Content below the title, such as the message of the server. */
  readonly description?: ReactNode
  readonly wide?: boolean
  readonly children: ReactNode
  readonly actions: ReactNode
}

/** The frame of a request: sender, time limit and actions. Requests of servers can be declined. */
export function RequestFrame(props: FrameProps): ReactElement {
  const { request, answering, actions } = props
  const server = useServerName()(request)
  const Frame = use(InPage) ? PageFrame : DialogFrame
  if (request.body.kind === 'call') return <Frame {...props} />
  const { isResting: isDisabled, send } = answering
  const origin = `This request is from the server ${server}, not from Patchbay`
  return (
    <Frame
      {...props}
      description={
        <>
          <div className="text-small text-faint">
            {request.agent === undefined
              ? `${origin}:`
              : `${origin}. It belongs to a call by ${visibleText(request.agent)}:`}
          </div>
          <div className="scroll mt-1 max-h-52 border-s-2 border-line-strong ps-3">
            <PlainText className="text-foreground" text={request.body.message} />
          </div>
        </>
      }
      actions={
        <>
          <Button size="form" disabled={isDisabled} onClick={() => send({ kind: 'decline' })}>
            Decline
          </Button>
          {actions}
        </>
      }
    />
  )
}

function Rejection({ answering: { problem } }: Pick<FrameProps, 'answering'>): ReactElement | null {
  if (problem === undefined) return null
  return (
    <div className="mt-4">
      <ProblemText topic={problem.code}>{problemText(problem)}</ProblemText>
    </div>
  )
}

/** Takes the focus on mount unless the user is typing elsewhere. */
function PageFrame({
  request,
  answering,
  description,
  children,
  actions,
}: FrameProps): ReactElement {
  const id = useId()
  const server = useServerName()(request)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isTyping(document.activeElement)) section.current?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section
      ref={section}
      className="grid gap-2 rounded-lg border border-accent-line bg-subtle p-3"
      aria-labelledby={id}
      tabIndex={-1}
    >
      <div className="dialog-head flex items-start gap-2">
        <h2 id={id} className="dialog-title min-w-0 flex-1 text-title">
          {requestTitle(request, server)}
        </h2>
        <span className="flex flex-none items-center gap-1">
          <TimeLeft request={request} />
          <IconButton
            small
            icon={X}
            label="Dismiss without answering"
            disabled={answering.isResting}
            onClick={() => answering.send({ kind: 'dismiss' })}
          />
        </span>
      </div>
      {description}
      <div>{children}</div>
      <Rejection answering={answering} />
      <div className="actions mt-5 flex justify-end gap-2">{actions}</div>
    </section>
  )
}

function DialogFrame(props: FrameProps): ReactElement {
  const { request, answering, description, wide = false, children, actions } = props
  const { isResting: isDisabled } = answering
  const server = useServerName()(request)
  const queued = useQueuedRequests().map(({ requestId }) => requestId)
  const { length } = queued
  const position = queued.indexOf(request.requestId) + 1
  useEffect(holdToasts, [])
  return (
    <Dialog
      comesUnasked
      wide={wide}
      onClose={() => !isDisabled && postponeShown()}
      title={requestTitle(request, server)}
      lead={<Tile name={server} />}
      aside={
        <span className="flex flex-none items-center gap-1">
          {length > 1 && (
            <span className="text-small whitespace-nowrap text-faint tabular-nums">{`${position} of ${length}`}</span>
          )}
          {/* A call shows its time limit below. */}
          {request.body.kind !== 'call' && <TimeLeft request={request} />}
          <IconButton
            small
            icon={X}
            label="Answer later"
            shortcut="Escape"
            disabled={isDisabled}
            onClick={postponeShown}
          />
        </span>
      }
      description={description}
      actions={actions}
    >
      <div className="request-body scroll">{children}</div>
      <Rejection answering={answering} />
    </Dialog>
  )
}

/** Ignores clicks and keys this soon after a request appears, in ms: they were meant for something else. */
const QUIET_MS = 500

/** Sends the answer to a request. Buttons are disabled until the request is visible and while an answer is being sent. */
type AnswerState = {
  readonly isResting: boolean
  readonly problem: AppErrorShape | undefined
  readonly send: (answer: UserRequestAnswer) => void
}

/** Whether the content for `key` appeared only now, so that buttons stay disabled. */
export function useQuietTime(key: string): boolean {
  const [readyKey, setReadyKey] = useState<string | undefined>(undefined)
  useEffect(() => {
    const timer = setTimeout(() => setReadyKey(key), QUIET_MS)
    return () => clearTimeout(timer)
  }, [key])
  return readyKey !== key
}

/** Answers a request that appears together with the component. */
export function useAnswering(request: UserRequest): AnswerState {
  const isQuiet = useQuietTime(request.requestId)
  const [problem, setProblem] = useState<AppErrorShape | undefined>(undefined)
  const { isBusy, run } = useAction(
    (answer: UserRequestAnswer) => answerRequest(request, answer),
    setProblem,
  )
  const isResting = isQuiet || isBusy
  return { isResting, problem, send: (answer) => !isResting && run(answer) }
}
