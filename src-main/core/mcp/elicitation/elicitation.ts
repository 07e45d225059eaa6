import { INVALID_PARAMS, specTypeSchemas } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type {
  ElicitationField,
  UserRequestBody,
} from '../../../../src-shared/domain/agents/user-request'
import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { toDisposable } from '../../lifecycle/disposables'
import { mayOpen } from '../../sign-in/sign-in-address'
import type { Outcome } from '../../user-requests/user-requests'
import { isNone } from '../json/schemas'
import type { RequestDeadline } from '../peer/pending-requests'
import { ResponseError } from '../peer/request-failure'
import { formContent, formFields, meantForm, plainText, withoutNulls } from './requested-schema'
import type { Root } from './roots'

const MAX_MESSAGE = 4_000
const MAX_URL = 8_192
const MAX_ID = 1_000
/** Time in which a server may still elicit for an abandoned request, in ms. */
const LINGER_MS = 60_000

const Params = z.union([
  z.object({
    mode: z.literal('url'),
    message: z.string(),
    url: z.string(),
    // Absent since 2026-07-28.
    elicitationId: z.string().max(MAX_ID).optional(),
  }),
  z.object({
    mode: z.literal('form').optional(),
    message: z.string(),
    requestedSchema: z.unknown(),
  }),
])

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
/** The result from an agent; null, or PHP's list for an empty object, counts as absent (F7). */
export const ElicitResult = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.preprocess(
    (given) => (isJsonObject(given) ? withoutNulls(given) : isNone(given) ? undefined : given),
    z.record(z.string(), Value).optional(),
  ),
})
export type ElicitResult = z.infer<typeof ElicitResult>

/** The sender of a request for which a server may elicit: an agent, or Patchbay's user who runs a tool. */
export type RequestOrigin =
  | {
      readonly agent: string
      /** The context of the agent's calls; absent for a single call. */
      readonly session?: object
      /** Set for a session (MCP up to 2025-11-25). */
      readonly sessionId?: string
      /** The folders that the agent's app has open; absent if it reports none (MCP, roots). */
      readonly roots?: () => Promise<readonly Root[] | undefined>
      /** Whether the agent itself opens the pages that an error lists (MCP 2025-11-25, URL elicitation required). */
      readonly opensPages?: boolean
      /** Notifies the agent that the user completed a page that it was asked to open (`notifications/elicitation/complete`). */
      readonly completed?: (elicitationId: string) => void
      /** Asks the agent's own user; absent if the agent can't. If it rejects, Patchbay shows the request. */
      readonly elicit?: ElicitFromAgent
      readonly toolRunId?: undefined
    }
  | {
      readonly toolRunId: string
      readonly agent?: undefined
      readonly session?: undefined
      readonly elicit?: undefined
      readonly opensPages?: undefined
      readonly completed?: undefined
    }

/** Gets the parameters as the server wrote them, and the name that a stateless server assigned (MCP 2026-07-28, `inputRequests`). */
type ElicitFromAgent = (
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  name?: string,
) => Promise<ElicitResult>

export type Elicitation = {
  /** Parameters for an agent, which validates them (F2); undefined if it would reject them, so that Patchbay shows the request. */
  readonly params: JsonObject | undefined
  readonly body: Exclude<UserRequestBody, { kind: 'call' }>
  /** Identifies a page, so that the server can report its completion. */
  readonly elicitationId: string | undefined
  /** Returns the result for the server; throws INVALID_VALUES for an answer that doesn't fit. */
  readonly resultOf: (outcome: Outcome) => ElicitResult
}

/** Reads the parameters of `elicitation/create`. Throws a `ResponseError` for a request that can't be shown. */
export function readElicitation(params: JsonObject): Elicitation {
  const { data } = Params.safeParse(params)
  if (!data)
    throw rejected(
      'elicitation/create needs a message and either requestedSchema (mode "form") or url (mode "url")',
    )
  const message = plainText(data.message, MAX_MESSAGE)
  if (data.mode !== 'url') {
    const fields = formFields(data.requestedSchema)
    const body = { kind: 'form', message, fields } as const
    const resultOf = (outcome: Outcome): ElicitResult => toResult(outcome, fields)
    const valid = [params, { ...params, requestedSchema: meantForm(data.requestedSchema) }]
    return { params: valid.find(isOfficial), body, elicitationId: undefined, resultOf }
  }
  const { url, elicitationId } = data
  const page = url.length <= MAX_URL && URL.canParse(url) ? new URL(url) : undefined
  if (!page || !mayOpen(page))
    throw rejected('the URL must use https, or http on this computer, and contain no password')
  const body = { kind: 'page', message, url: page.href, host: page.host } as const
  return { params, body, elicitationId, resultOf: (outcome) => toResult(outcome) }
}

function isOfficial(params: JsonObject): boolean {
  return specTypeSchemas.ElicitRequestFormParams['~standard'].validate(params).issues === undefined
}

function toResult(outcome: Outcome, fields?: readonly ElicitationField[]): ElicitResult {
  switch (outcome.kind) {
    case 'accept':
      return {
        action: 'accept',
        ...(fields && { content: formContent(fields, outcome.content) }),
      }
    case 'decline':
      return { action: 'decline' }
    case 'allow':
    case 'deny':
      throw new AppError('INVALID_VALUES', 'Answer this request with accept, decline, or dismiss.')
    case 'dismiss':
    case 'unanswered':
      return { action: 'cancel' }
  }
}

function rejected(why: string): ResponseError {
  return new ResponseError(INVALID_PARAMS, `Unsupported elicitation: ${why}.`)
}

export class OpenCall {
  #controller: AbortController | undefined
  #hasEnded = false
  deadline: RequestDeadline | undefined

  constructor(readonly requestOrigin: RequestOrigin | undefined) {}

  /** Aborted when the call ends. Created at the first use: few calls need it, and each takes memory until a garbage collection. */
  get over(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#hasEnded) this.#controller.abort()
    return this.#controller.signal
  }

  end(): void {
    this.#hasEnded = true
    this.#controller?.abort()
  }
}

/**
 * An abandoned call, and until when its server may still elicit for it. Only these members are kept: the call may be large, and its agent
 * may be gone.
 */
type AbandonedCall = { readonly until: number; readonly agent: string | undefined }

type ElicitationTarget = {
  readonly requestOrigin: RequestOrigin | undefined
  readonly over: AbortSignal
}

/**
 * Requests that one session is processing, to attribute an elicitation to one of them. A server with sessions doesn't name its request, so
 * the caller is known only while all candidates belong to one agent. Its newest call is used, because all its windows have one user.
 */
export class OpenCalls {
  // Not a Set: V8 links its outgrown tables, and so keeps finished calls in its old generation.
  readonly #calls: (OpenCall | AbandonedCall)[] = []

  constructor(private readonly now: () => number = () => performance.now()) {}

  start(requestOrigin: RequestOrigin | undefined): OpenCall {
    const call = new OpenCall(requestOrigin)
    this.#calls.push(call)
    return call
  }

  /** `isAnswered`: the server knows that the call has ended. */
  end(call: OpenCall, isAnswered: boolean): void {
    const at = this.#calls.indexOf(call)
    if (at < 0) return
    if (isAnswered) this.#calls.splice(at, 1)
    else this.#calls[at] = { until: this.now() + LINGER_MS, agent: agentOf(call) }
    this.#forget()
    call.end()
  }

  /**
   * The only possible caller: that of the newest request, preferably of one whose app can ask its user, until all requests have ended.
   * Undefined if another agent is possible.
   */
  get target(): ElicitationTarget | undefined {
    this.#forget()
    const open = this.#open
    const newest = open.findLast(({ requestOrigin }) => requestOrigin?.elicit) ?? open.at(-1)
    if (!newest) return undefined
    const { requestOrigin } = newest
    if (this.#calls.length === 1) return { requestOrigin, over: newest.over }
    const agent = agentOf(newest)
    const isSingleAgent =
      agent !== undefined && this.#calls.every((call) => agentOf(call) === agent)
    return isSingleAgent ? { requestOrigin, over: allEnded(open) } : undefined
  }

  /** Pauses the deadlines of all open calls until the result is disposed, because the elicitation may belong to any of them. */
  pause(): Disposable {
    const pauses = this.#open.map(({ deadline }) => deadline?.pause())
    return toDisposable(() => {
      for (const pause of pauses) pause?.[Symbol.dispose]()
    })
  }

  get #open(): OpenCall[] {
    return this.#calls.filter((call) => call instanceof OpenCall)
  }

  #forget(): void {
    const now = this.now()
    for (let at = this.#calls.length - 1; at >= 0; at -= 1) {
      const call = this.#calls[at]
      if (call && 'until' in call && call.until <= now) this.#calls.splice(at, 1)
    }
  }
}

/** Returns the agent of a call with a session; undefined for a single call. */
function agentOf(call: OpenCall | AbandonedCall): string | undefined {
  if (!(call instanceof OpenCall)) return call.agent
  return call.requestOrigin?.session && call.requestOrigin.agent
}

function allEnded(calls: readonly OpenCall[]): AbortSignal {
  const last = new AbortController()
  let remaining = calls.length
  const count = (): void => {
    remaining -= 1
    if (remaining === 0) last.abort()
  }
  for (const { over } of calls) over.addEventListener('abort', count, { once: true })
  return last.signal
}
