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
import { formatWhole } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import type { TypedAnswer } from './typed-answer'

/** The request that a window shows, and the ones that its user postponed, all by id. */
type RequestQueue = {
  readonly shown: string | undefined
  readonly aside: readonly string[]
}

/**
 * Updates the queue for the waiting requests (oldest first). A shown request stays until it ends; then the oldest one follows that was not
 * postponed. A window that shows none opens one only if `mayOpen` is set, so that no dialog interrupts the user.
 */
export function updateQueue(
  { shown, aside: postponed }: RequestQueue,
  waiting: readonly string[],
  mayOpen: boolean,
): RequestQueue {
  const stillPostponed = postponed.filter((id) => waiting.includes(id))
  if (shown !== undefined && waiting.includes(shown)) return { shown, aside: stillPostponed }
  const next = waiting.find((id) => !stillPostponed.includes(id))
  return { shown: shown !== undefined || mayOpen ? next : undefined, aside: stillPostponed }
}

type QuestionState = {
  readonly queue: RequestQueue
  /** Ids of the requests that this window answered: their end is not announced. */
  readonly answered: readonly string[]
  /** Input that was typed and not sent, by `draftKey`, newest last. */
  readonly drafts: readonly { readonly key: string; readonly typed: TypedAnswer }[]
  /** Runs whose requests the page itself shows. */
  readonly inPlace: readonly string[]
}

const MAX_DRAFTS = 5
const MAX_ANSWERED = 50
const NONE: readonly Question[] = []

const questionStore = createStore<QuestionState>(() => ({
  queue: { shown: undefined, aside: [] },
  answered: [],
  drafts: [],
  inPlace: [],
}))

/** Returns all requests that wait for the user, oldest first. */
export function useQuestions(): readonly Question[] {
  return useApp(({ app }) => app?.questions ?? NONE)
}

function isForQueue({ toolRunId }: Question, inPlace: QuestionState['inPlace']): boolean {
  return toolRunId === undefined || !inPlace.includes(toolRunId)
}

/** Returns the waiting requests that no page shows itself. */
export function useQueuedQuestions(): readonly Question[] {
  const questions = useQuestions()
  const inPlace = useStore(questionStore, (state) => state.inPlace)
  return questions.filter((question) => isForQueue(question, inPlace))
}

/** Returns the requests of a server during a run of the user, oldest first. */
export function useQuestionsOf(toolRunId: string | undefined): readonly Question[] {
  const questions = useQuestions()
  return toolRunId === undefined
    ? NONE
    : questions.filter((question) => question.toolRunId === toolRunId)
}

/** Returns the request that this window shows. */
export function useShownQuestion(): Question | undefined {
  const shown = useStore(questionStore, ({ queue }) => queue.shown)
  return useQuestions().find(({ questionId }) => questionId === shown)
}

function waitingIds(): string[] {
  const { inPlace: inlineRuns } = questionStore.getState()
  return (appStore.getState().app?.questions ?? NONE)
    .filter((question) => isForQueue(question, inlineRuns))
    .map(({ questionId }) => questionId)
}

/** Keeps the requests of a run out of the dialog until the returned function is called; the caller shows them. */
export function showInline(toolRunId: string): () => void {
  const change = (inPlace: readonly string[]): void => {
    questionStore.setState({ inPlace })
    const { queue } = questionStore.getState()
    questionStore.setState({ queue: updateQueue(queue, waitingIds(), false) })
  }
  change([...questionStore.getState().inPlace, toolRunId])
  return () => change(questionStore.getState().inPlace.filter((one) => one !== toolRunId))
}

/** Shows the oldest request; the others follow, including the postponed ones. */
export function showQuestions(): void {
  questionStore.setState({ queue: { shown: waitingIds()[0], aside: [] } })
}

/** Closes the dialog without an answer; the requests keep waiting. */
export function postponeShown(): void {
  questionStore.setState({ queue: { shown: undefined, aside: waitingIds() } })
}

type OfServer = Pick<Question, 'installationId'>

function nameIn(servers: readonly ServerView[] | undefined, { installationId }: OfServer): string {
  const server = servers?.find((one) => one.installationId === installationId)
  return server?.name ?? 'A server'
}

/** Returns the current name of the server of a request. */
export function serverNameOf(question: OfServer): string {
  return nameIn(appStore.getState().app?.servers, question)
}

/** Returns the lookup of server names, and rerenders the component if a server is renamed. */
export function useServerName(): (question: OfServer) => string {
  const servers = useServers()
  return (question) => nameIn(servers, question)
}

/**
 * Keeps the queue in step with the waiting requests and announces unanswered ends, until the returned function is called. `mayOpen` returns
 * whether an automatic dialog would not interrupt the user.
 */
export function watchQuestions(mayOpen: () => boolean): () => void {
  const update = (waiting: readonly Question[], before: readonly Question[]): void => {
    const ids = waiting.map(({ questionId }) => questionId)
    const { queue, answered } = questionStore.getState()
    for (const question of before) {
      const { questionId } = question
      if (ids.includes(questionId) || answered.includes(questionId)) continue
      // The user misses an unseen request only if it timed out. The page announces the end of a request that it shows.
      if (queue.shown === questionId || isTimeUp(question, Date.now()))
        showToast({ message: endedMessage(question, serverNameOf(question), Date.now()) })
    }
    questionStore.setState({
      queue: updateQueue(queue, waitingIds(), mayOpen()),
    })
  }
  update(appStore.getState().app?.questions ?? NONE, NONE)
  return appStore.subscribe(({ app }, old) => {
    if (app?.questions !== old.app?.questions)
      update(app?.questions ?? NONE, old.app?.questions ?? NONE)
  })
}

/** Sends an answer; resolves to the error if the request is still waiting. */
export async function answerQuestion(
  { questionId }: Pick<Question, 'questionId'>,
  answer: QuestionAnswer,
): Promise<AppErrorShape | undefined> {
  // The request may end before the response arrives here.
  questionStore.setState(({ answered }) => ({
    answered: [...answered, questionId].slice(-MAX_ANSWERED),
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

/** The same key for the same request of the same server, so that a repeated request finds the earlier input. */
function draftKey({ installationId, body }: Question): string {
  return JSON.stringify([installationId, body])
}

/** Returns the unsent input for a request. */
export function readDraft(question: Question): TypedAnswer | undefined {
  const key = draftKey(question)
  return questionStore.getState().drafts.find((draft) => draft.key === key)?.typed
}

/** Stores the input for a request in this window until it is answered. */
export function storeDraft(question: Question, typed: TypedAnswer): void {
  const key = draftKey(question)
  questionStore.setState(({ drafts, answered }) => {
    const others = drafts.filter((draft) => draft.key !== key)
    const added = answered.includes(question.questionId) ? [] : [{ key, typed }]
    return { drafts: [...others, ...added].slice(-MAX_DRAFTS) }
  })
}

/** Time before the end in which the remaining seconds are shown, in ms. */
const LAST_MS = 60_000

/** Returns the sender and the request as a title; `server` is the user's name for the server. */
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

/** Returns the remaining time of a request in its last minute; undefined before. */
export function timeLeft({ until }: Pick<Question, 'until'>, now: number): string | undefined {
  const remaining = until - now
  if (remaining > LAST_MS) return undefined
  return remaining <= 0 ? 'Time is up' : `${Math.ceil(remaining / 1_000)} s left`
}

/** Returns when an unanswered call is denied: "Denied automatically in 4 min 12 s". */
export function deniedIn({ until }: Pick<Question, 'until'>, now: number): string {
  const remaining = until - now
  return remaining <= 0 ? 'Time is up' : `Denied automatically in ${formatWhole(remaining)}`
}

/** Whether a request ended by timeout, with tolerance for the clock difference of two processes. */
function isTimeUp({ until }: Pick<Question, 'until'>, now: number): boolean {
  return now >= until - 1_000
}

/** Returns how a request ended that this window did not answer. */
export function endedMessage(question: Question, server: string, now: number): string {
  const what = question.body.kind === 'call' ? 'The call was denied.' : 'Your answer wasn’t sent.'
  return isTimeUp(question, now)
    ? `The request from ${server} timed out. ${what}`
    : `The request from ${server} was canceled or answered elsewhere.`
}

/** A request of one kind. */
export type QuestionOf<K extends QuestionBody['kind']> = Question & {
  readonly body: Extract<QuestionBody, { kind: K }>
}

/** Whether a request is of a kind. */
export function isOfKind<K extends QuestionBody['kind']>(
  question: Question,
  kind: K,
): question is QuestionOf<K> {
  return question.body.kind === kind
}
