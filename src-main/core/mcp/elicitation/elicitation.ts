import { INVALID_PARAMS, specTypeSchemas } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { AskedField, QuestionBody } from '../../../../src-shared/domain/agents/question'
import { AppError } from '../../../../src-shared/domain/app-error'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import type { Outcome } from '../../questions/questions'
import { mayOpen } from '../../sign-in/sign-in-address'
import { ResponseError } from '../peer/request-failure'
import { formContent, formFields, meantForm, plainText, withoutNulls } from './requested-schema'

const MAX_MESSAGE = 4_000
const MAX_URL = 8_192
const MAX_ID = 1_000

const Params = z.union([
  z.object({
    mode: z.literal('url'),
    message: z.string(),
    url: z.string(),
    // There is none since 2026-07-28.
    elicitationId: z.string().max(MAX_ID).optional(),
  }),
  z.object({
    mode: z.literal('form').optional(),
    message: z.string(),
    requestedSchema: z.unknown(),
  }),
])

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
/** Of an agent, where null, or PHP's list for an empty object, stands for nothing (F7). */
export const ElicitResult = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.preprocess(
    (given) => (isJsonObject(given) ? withoutNulls(given) : isEmpty(given) ? undefined : given),
    z.record(z.string(), Value).optional(),
  ),
})
export type ElicitResult = z.infer<typeof ElicitResult>

/** The sender of a request for which a server may elicit something: an agent, or Patchbay's user who runs a tool. */
export type CallAsker =
  | {
      readonly agent: string
      /** The agent's session, compared by identity; missing where it is this call's alone. */
      readonly session?: object
      /** Has the agent's own user answer; missing where the agent can't. A rejection has Patchbay show the request. */
      readonly elicit?: ElicitFromAgent
      readonly trialId?: undefined
    }
  | {
      readonly trialId: string
      readonly agent?: undefined
      readonly session?: undefined
      readonly elicit?: undefined
    }

/** Gets the parameters as the server wrote them, and the name that a stateless server gave it (MCP 2026-07-28, `inputRequests`). */
type ElicitFromAgent = (
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  name?: string,
) => Promise<ElicitResult>

export type Elicitation = {
  /** For an agent, which validates them (F2); undefined where it would reject them, so that Patchbay shows the request. */
  readonly params: JsonObject | undefined
  readonly body: Exclude<QuestionBody, { kind: 'call' }>
  /** Names a page, so that the server can announce that the user is done there. */
  readonly elicitationId: string | undefined
  /** What the server gets; throws INVALID_VALUES for an answer that does not fit. */
  readonly resultOf: (outcome: Outcome) => ElicitResult
}

/** Reads the parameters of `elicitation/create`. Throws a `ResponseError` for what no person can be shown. */
export function readElicitation(params: JsonObject): Elicitation {
  const { data } = Params.safeParse(params)
  if (!data)
    throw refused(
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
    throw refused('the URL must use https, or http on this computer, and contain no password')
  const body = { kind: 'page', message, url: page.href, host: page.host } as const
  return { params, body, elicitationId, resultOf: (outcome) => toResult(outcome) }
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

function isOfficial(params: JsonObject): boolean {
  return specTypeSchemas.ElicitRequestFormParams['~standard'].validate(params).issues === undefined
}

function toResult(outcome: Outcome, fields?: readonly AskedField[]): ElicitResult {
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

function refused(why: string): ResponseError {
  return new ResponseError(INVALID_PARAMS, `Unsupported elicitation: ${why}.`)
}
