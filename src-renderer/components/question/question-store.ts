import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type {
  Question,
  QuestionAnswer,
  QuestionBody,
} from '../../../src-shared/domain/agents/question'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call, toErrorShape } from '../../ipc/call'
import { appStore, useApp, useServers } from '../../stores/app-store'
import { showToast } from '../../ui/overlays/toast'
import { formatWhole, visibleText } from '../../ui/text/format'
import type { TypedAnswer } from './typed-answer'

/** Which question a window shows, and which ones its user put aside for later; all by their ids. */
type RequestQueue = {
  readonly shown: string | undefined
  readonly aside: readonly string[]
}

/**
 * The queue once these questions wait, oldest first. One that is shown stays until it is over; then the oldest follows
 * that was not put aside. A window that shows none begins to only where `mayOpen` says that this disturbs nobody.
 */
export function meetQuestions(
  { shown, aside }: RequestQueue,
  waiting: readonly string[],
  mayOpen: boolean,
): RequestQueue {
  const kept = aside.filter((id) => waiting.includes(id))
  if (shown !== undefined && waiting.includes(shown)) return { shown, aside: kept }
  const next = waiting.find((id) => !kept.includes(id))
  return { shown: shown !== undefined || mayOpen ? next : undefined, aside: kept }
}

type QuestionState = {
  readonly queue: RequestQueue
  /** Those that this window answers, by their ids: their end needs no word. */
  readonly answered: readonly string[]
  /** What was typed and not sent, by `draftKey`, newest last. */
  readonly drafts: readonly { readonly key: string; readonly typed: TypedAnswer }[]
  /** Runs whose questions the page itself shows, where they are asked. */
  readonly inPlace: readonly string[]
}

const MOST_DRAFTS = 5
const MOST_ANSWERED = 50
const NONE: readonly Question[] = []

const questionStore = createStore<QuestionState>(() => ({
  queue: { shown: undefined, aside: [] },
  answered: [],
  drafts: [],
  inPlace: [],
}))

/** All that waits for the user, oldest first. */
export function useQuestions(): readonly Question[] {
  return useApp(({ app }) => app?.questions ?? NONE)
}

function isForQueue({ toolRunId }: Question, inPlace: QuestionState['inPlace']): boolean {
  return toolRunId === undefined || !inPlace.includes(toolRunId)
}

/** What waits for the user and is not shown where it is asked. */
export function useQueuedQuestions(): readonly Question[] {
  const questions = useQuestions()
  const inPlace = useStore(questionStore, (state) => state.inPlace)
  return questions.filter((question) => isForQueue(question, inPlace))
}

/** What a server asks in the course of a user's own run, oldest first. */
export function useQuestionsOf(toolRunId: string | undefined): readonly Question[] {
  const questions = useQuestions()
  return toolRunId === undefined
    ? NONE
    : questions.filter((question) => question.toolRunId === toolRunId)
}

/** The question that this window shows. */
export function useShownQuestion(): Question | undefined {
  const shown = useStore(questionStore, ({ queue }) => queue.shown)
  return useQuestions().find(({ questionId }) => questionId === shown)
}

function waitingIds(): string[] {
  const { inPlace } = questionStore.getState()
  return (appStore.getState().app?.questions ?? NONE)
    .filter((question) => isForQueue(question, inPlace))
    .map(({ questionId }) => questionId)
}

/** Keeps the dialog away from the questions of a run, until the returned function is called; who calls this shows them. */
export function showInPlace(toolRunId: string): () => void {
  const change = (inPlace: readonly string[]): void => {
    questionStore.setState({ inPlace })
    const { queue } = questionStore.getState()
    questionStore.setState({ queue: meetQuestions(queue, waitingIds(), false) })
  }
  change([...questionStore.getState().inPlace, toolRunId])
  return () => change(questionStore.getState().inPlace.filter((one) => one !== toolRunId))
}

/** Shows the oldest question; those after it follow, also where they were put aside. */
export function showQuestions(): void {
  questionStore.setState({ queue: { shown: waitingIds()[0], aside: [] } })
}

/** Puts the dialog away without an answer; the questions go on waiting. */
export function leaveForLater(): void {
  questionStore.setState({ queue: { shown: undefined, aside: waitingIds() } })
}

type OfServer = Pick<Question, 'installationId'>

function nameIn(servers: readonly ServerView[] | undefined, { installationId }: OfServer): string {
  const server = servers?.find((one) => one.installationId === installationId)
  return server?.name ?? 'A server'
}

/** The name of the server of a question now. */
export function serverNameOf(question: OfServer): string {
  return nameIn(appStore.getState().app?.servers, question)
}

/** The same for a component, which is drawn again when the server is renamed. */
export function useServerName(): (question: OfServer) => string {
  const servers = useServers()
  return (question) => nameIn(servers, question)
}

/**
 * Keeps the queue in step with what waits, and says which questions went without an answer, until the returned
 * function is called; `mayOpen` tells whether a dialog that comes automatically would disturb nobody.
 */
export function followQuestions(mayOpen: () => boolean): () => void {
  const meet = (waiting: readonly Question[], before: readonly Question[]): void => {
    const ids = waiting.map(({ questionId }) => questionId)
    const { queue, answered } = questionStore.getState()
    for (const question of before) {
      const { questionId } = question
      if (ids.includes(questionId) || answered.includes(questionId)) continue
      // One that was never looked at is missed only where it waited in vain.
      // Of one that stands in the page, the page tells the end.
      if (queue.shown === questionId || isTimeUp(question, Date.now()))
        showToast({ message: overWords(question, serverNameOf(question), Date.now()) })
    }
    questionStore.setState({
      queue: meetQuestions(queue, waitingIds(), mayOpen()),
    })
  }
  meet(appStore.getState().app?.questions ?? NONE, NONE)
  return appStore.subscribe(({ app }, old) => {
    if (app?.questions !== old.app?.questions)
      meet(app?.questions ?? NONE, old.app?.questions ?? NONE)
  })
}

/** Sends an answer; resolves to why it was not taken where the question goes on waiting. */
export async function answerQuestion(
  { questionId }: Pick<Question, 'questionId'>,
  answer: QuestionAnswer,
): Promise<AppErrorShape | undefined> {
  // Its end may come before the answer to this request is here.
  questionStore.setState(({ answered }) => ({
    answered: [...answered, questionId].slice(-MOST_ANSWERED),
  }))
  try {
    await call('question.answer', { questionId, answer })
    return undefined
  } catch (thrown) {
    const problem = toErrorShape(thrown)
    questionStore.setState(({ answered }) => ({
      answered: answered.filter((id) => id !== questionId),
    }))
    if (problem.code !== 'NOT_FOUND') return problem
    showToast({ message: problem.message, tone: 'error' })
    return undefined
  }
}

/** One key for the same question of the same server, so that one that is asked again finds what was typed before. */
function draftKey({ installationId, body }: Question): string {
  return JSON.stringify([installationId, body])
}

/** What was typed for a question and not sent. */
export function readDraft(question: Question): TypedAnswer | undefined {
  const key = draftKey(question)
  return questionStore.getState().drafts.find((draft) => draft.key === key)?.typed
}

/** Keeps what is typed for a question, in this window alone, until it is answered. */
export function keepDraft(question: Question, typed: TypedAnswer): void {
  const key = draftKey(question)
  questionStore.setState(({ drafts, answered }) => {
    const others = drafts.filter((draft) => draft.key !== key)
    const own = answered.includes(question.questionId) ? [] : [{ key, typed }]
    return { drafts: [...others, ...own].slice(-MOST_DRAFTS) }
  })
}

/** The time in which the seconds that are left are shown, in ms. */
const LAST_MS = 60_000

/** Who asks for what, as a title; `server` is the name that the user gave the server. */
export function questionTitle({ body, agent }: Question, server: string): string {
  switch (body.kind) {
    case 'form':
      return `${server} asks for details`
    case 'page':
      return `${server} asks you to open a page`
    case 'call':
      return `Allow ${agentName(agent)} to run ${visibleText(body.tool)} on ${server}?`
  }
}

function agentName(agent: string | undefined): string {
  return agent === undefined ? 'an agent' : visibleText(agent)
}

/** How long a question still waits, in its last minute; undefined before. */
export function timeLeft({ until }: Pick<Question, 'until'>, now: number): string | undefined {
  const left = until - now
  if (left > LAST_MS) return undefined
  return left <= 0 ? 'Time is up' : `${Math.ceil(left / 1_000)} s left`
}

/** When a call is denied without an answer: "Denied automatically in 4 min 12 s". */
export function deniedIn({ until }: Pick<Question, 'until'>, now: number): string {
  const left = until - now
  return left <= 0 ? 'Time is up' : `Denied automatically in ${formatWhole(left)}`
}

/** Whether a question ended by its time; the clocks of two processes are not in step to the millisecond. */
function isTimeUp({ until }: Pick<Question, 'until'>, now: number): boolean {
  return now >= until - 1_000
}

/** What became of a question that went without an answer from this window. */
export function overWords(question: Question, server: string, now: number): string {
  const what = question.body.kind === 'call' ? 'The call was denied.' : 'Your answer wasn’t sent.'
  return isTimeUp(question, now)
    ? `The request from ${server} timed out. ${what}`
    : `The request from ${server} was canceled or answered elsewhere.`
}

/** A question of one kind. */
export type QuestionOf<K extends QuestionBody['kind']> = Question & {
  readonly body: Extract<QuestionBody, { kind: K }>
}

/** Whether a question is of a kind. */
export function isOf<K extends QuestionBody['kind']>(
  question: Question,
  kind: K,
): question is QuestionOf<K> {
  return question.body.kind === kind
}
