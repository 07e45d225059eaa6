import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type {
  UserRequest,
  UserRequestAnswer,
  UserRequestBody,
} from '../../../src-shared/domain/agents/user-request'
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

type UserRequestState = {
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
const NONE: readonly UserRequest[] = []

const userRequestStore = createStore<UserRequestState>(() => ({
  queue: { shown: undefined, aside: [] },
  answered: [],
  drafts: [],
  inPlace: [],
}))

/** Returns all requests that wait for the user, oldest first. */
export function useUserRequests(): readonly UserRequest[] {
  return useApp(({ app }) => app?.userRequests ?? NONE)
}

function isForQueue({ toolRunId }: UserRequest, inPlace: UserRequestState['inPlace']): boolean {
  return toolRunId === undefined || !inPlace.includes(toolRunId)
}

/** Returns the waiting requests that no page shows itself. */
export function useQueuedRequests(): readonly UserRequest[] {
  const requests = useUserRequests()
  const inPlace = useStore(userRequestStore, (state) => state.inPlace)
  return requests.filter((request) => isForQueue(request, inPlace))
}

/** Returns the requests of a server during a run of the user, oldest first. */
export function useRequestsOf(toolRunId: string | undefined): readonly UserRequest[] {
  const requests = useUserRequests()
  return toolRunId === undefined
    ? NONE
    : requests.filter((request) => request.toolRunId === toolRunId)
}

/** Returns the request that this window shows. */
export function useShownRequest(): UserRequest | undefined {
  const shown = useStore(userRequestStore, ({ queue }) => queue.shown)
  return useUserRequests().find(({ requestId }) => requestId === shown)
}

function waitingIds(): string[] {
  const { inPlace: inlineRuns } = userRequestStore.getState()
  return (appStore.getState().app?.userRequests ?? NONE)
    .filter((request) => isForQueue(request, inlineRuns))
    .map(({ requestId }) => requestId)
}

/** Keeps the requests of a run out of the dialog until the returned function is called; the caller shows them. */
export function showInline(toolRunId: string): () => void {
  const change = (inPlace: readonly string[]): void => {
    userRequestStore.setState({ inPlace })
    const { queue } = userRequestStore.getState()
    userRequestStore.setState({ queue: updateQueue(queue, waitingIds(), false) })
  }
  change([...userRequestStore.getState().inPlace, toolRunId])
  return () => change(userRequestStore.getState().inPlace.filter((one) => one !== toolRunId))
}

/** Shows the oldest request; the others follow, including the postponed ones. */
export function showRequests(): void {
  userRequestStore.setState({ queue: { shown: waitingIds()[0], aside: [] } })
}

/** Closes the dialog without an answer; the requests keep waiting. */
export function postponeShown(): void {
  userRequestStore.setState({ queue: { shown: undefined, aside: waitingIds() } })
}

type OfServer = Pick<UserRequest, 'installationId'>

function nameIn(servers: readonly ServerView[] | undefined, { installationId }: OfServer): string {
  const server = servers?.find((one) => one.installationId === installationId)
  return server?.name ?? 'A server'
}

/** Returns the current name of the server of a request. */
export function serverNameOf(request: OfServer): string {
  return nameIn(appStore.getState().app?.servers, request)
}

/** Returns the lookup of server names, and rerenders the component if a server is renamed. */
export function useServerName(): (request: OfServer) => string {
  const servers = useServers()
  return (request) => nameIn(servers, request)
}

/**
 * Keeps the queue in step with the waiting requests and announces unanswered ends, until the returned function is called. `mayOpen` returns
 * whether an automatic dialog would not interrupt the user.
 */
export function watchRequests(mayOpen: () => boolean): () => void {
  const update = (waiting: readonly UserRequest[], before: readonly UserRequest[]): void => {
    const ids = waiting.map(({ requestId }) => requestId)
    const { queue, answered } = userRequestStore.getState()
    for (const request of before) {
      const { requestId } = request
      if (ids.includes(requestId) || answered.includes(requestId)) continue
      // The user misses an unseen request only if it timed out. The page announces the end of a request that it shows.
      if (queue.shown === requestId || isTimeUp(request, Date.now()))
        showToast({ message: endedMessage(request, serverNameOf(request), Date.now()) })
    }
    userRequestStore.setState({
      queue: updateQueue(queue, waitingIds(), mayOpen()),
    })
  }
  update(appStore.getState().app?.userRequests ?? NONE, NONE)
  return appStore.subscribe(({ app }, old) => {
    if (app?.userRequests !== old.app?.userRequests)
      update(app?.userRequests ?? NONE, old.app?.userRequests ?? NONE)
  })
}

/** Sends an answer; resolves to the error if the request is still waiting. */
export async function answerRequest(
  { requestId }: Pick<UserRequest, 'requestId'>,
  answer: UserRequestAnswer,
): Promise<AppErrorShape | undefined> {
  // The request may end before the response arrives here.
  userRequestStore.setState(({ answered }) => ({
    answered: [...answered, requestId].slice(-MAX_ANSWERED),
  }))
  try {
    await call('userRequest.answer', { requestId, answer })
    return undefined
  } catch (thrown) {
    const problem = toErrorShape(thrown)
    userRequestStore.setState(({ answered }) => ({
      answered: answered.filter((id) => id !== requestId),
    }))
    if (problem.code !== 'NOT_FOUND') return problem
    showToast({ message: problem.message, tone: 'error' })
    return undefined
  }
}

/** The same key for the same request of the same server, so that a repeated request finds the earlier input. */
function draftKey({ installationId, body }: UserRequest): string {
  return JSON.stringify([installationId, body])
}

/** Returns the unsent input for a request. */
export function readDraft(request: UserRequest): TypedAnswer | undefined {
  const key = draftKey(request)
  return userRequestStore.getState().drafts.find((draft) => draft.key === key)?.typed
}

/** Stores the input for a request in this window until it is answered. */
export function storeDraft(request: UserRequest, typed: TypedAnswer): void {
  const key = draftKey(request)
  userRequestStore.setState(({ drafts, answered }) => {
    const others = drafts.filter((draft) => draft.key !== key)
    const added = answered.includes(request.requestId) ? [] : [{ key, typed }]
    return { drafts: [...others, ...added].slice(-MAX_DRAFTS) }
  })
}

/** Time before the end in which the remaining seconds are shown, in ms. */
const LAST_MS = 60_000

/** Returns the sender and the request as a title; `server` is the user's name for the server. */
export function requestTitle({ body, agent }: UserRequest, server: string): string {
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
export function timeLeft({ until }: Pick<UserRequest, 'until'>, now: number): string | undefined {
  const remaining = until - now
  if (remaining > LAST_MS) return undefined
  return remaining <= 0 ? 'Time is up' : `${Math.ceil(remaining / 1_000)} s left`
}

/** Returns when an unanswered call is denied: "Denied automatically in 4 min 12 s". */
export function deniedIn({ until }: Pick<UserRequest, 'until'>, now: number): string {
  const remaining = until - now
  return remaining <= 0 ? 'Time is up' : `Denied automatically in ${formatWhole(remaining)}`
}

/** Whether a request ended by timeout, with tolerance for the clock difference of two processes. */
function isTimeUp({ until }: Pick<UserRequest, 'until'>, now: number): boolean {
  return now >= until - 1_000
}

/** Returns how a request ended that this window did not answer. */
export function endedMessage(request: UserRequest, server: string, now: number): string {
  const what = request.body.kind === 'call' ? 'The call was denied.' : 'Your answer wasn’t sent.'
  return isTimeUp(request, now)
    ? `The request from ${server} timed out. ${what}`
    : `The request from ${server} was canceled or answered elsewhere.`
}

/** A request of one kind. */
export type RequestOf<K extends UserRequestBody['kind']> = UserRequest & {
  readonly body: Extract<UserRequestBody, { kind: K }>
}

/** Whether a request is of a kind. */
export function isOfKind<K extends UserRequestBody['kind']>(
  request: UserRequest,
  kind: K,
): request is RequestOf<K> {
  return request.body.kind === kind
}
