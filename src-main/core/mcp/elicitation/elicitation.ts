import { INVALID_PARAMS } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { QuestionAnswer, QuestionBody } from '../../../../src-shared/domain/agents/question'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { Outcome } from '../../questions/questions'
import { mayOpen } from '../../sign-in/sign-in-address'
import { ResponseError } from '../peer/request-failure'
import { formContent, formFields, plainText } from './requested-schema'

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

export const ElicitResult = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .optional(),
})
export type ElicitResult = z.infer<typeof ElicitResult>

/** The sender of a request for which a server may elicit something: an agent, or Patchbay's user who runs a tool. */
export type CallAsker = AgentAsker | TrialAsker

type AgentAsker = {
  readonly agent: string
  /** The agent's session, compared by identity; missing where it is this call's alone. */
  readonly session?: object
  readonly trialId?: undefined
  /**
   * Has the agent's own user answer, with the parameters of `elicitation/create` as the server wrote them and the name
   * that a stateless server gave it (MCP 2026-07-28, `inputRequests`); missing where the agent can't. A rejection, as for
   * an unknown mode, has Patchbay show the request.
   */
  readonly elicit?: (
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    name?: string,
  ) => Promise<ElicitResult>
}

type TrialAsker = {
  readonly trialId: string
  readonly agent?: undefined
  readonly session?: undefined
  readonly elicit?: undefined
}

/** One elicitation, as it is shown and answered. */
export type Elicitation = {
  readonly params: Readonly<Record<string, unknown>>
  readonly body: Exclude<QuestionBody, { kind: 'call' }>
  /** Names a page, so that the server can announce that the user is done there. */
  readonly elicitationId: string | undefined
  readonly check: (answer: QuestionAnswer) => void
  readonly resultOf: (outcome: Outcome) => ElicitResult
}

/** Reads the parameters of `elicitation/create`. Throws a `ResponseError` for what no person can be shown. */
export function readElicitation(params: Elicitation['params']): Elicitation {
  const { data } = Params.safeParse(params)
  if (!data)
    throw refused(
      'elicitation/create needs a message and either requestedSchema (mode "form") or url (mode "url")',
    )
  const message = plainText(data.message, MAX_MESSAGE)
  const read = data.mode === 'url' ? pageElicitation(message, data) : formElicitation(message, data)
  return { params, ...read }
}

function formElicitation(
  message: string,
  { requestedSchema }: { readonly requestedSchema?: unknown },
): Omit<Elicitation, 'params'> {
  const fields = formFields(requestedSchema)
  const fit = <T extends Outcome>(answer: T): T =>
    answer.kind === 'accept' ? { ...answer, content: formContent(fields, answer.content) } : answer
  return {
    body: { kind: 'form', message, fields },
    elicitationId: undefined,
    check: (answer) => {
      checkKind(answer)
      fit(answer)
    },
    resultOf: (outcome) => toResult(fit(outcome)),
  }
}

function pageElicitation(
  message: string,
  { url, elicitationId }: { readonly url: string; readonly elicitationId?: string | undefined },
): Omit<Elicitation, 'params'> {
  const page = url.length <= MAX_URL && URL.canParse(url) ? new URL(url) : undefined
  if (!page || !mayOpen(page))
    throw refused('the URL must use https, or http on this computer, and contain no password')
  return {
    body: { kind: 'page', message, url: page.href, host: page.host },
    elicitationId,
    check: checkKind,
    resultOf: (outcome) => toResult(outcome.kind === 'accept' ? { kind: 'accept' } : outcome),
  }
}

function checkKind({ kind }: QuestionAnswer): void {
  if (kind === 'allow' || kind === 'deny')
    throw new AppError('INVALID_VALUES', 'Answer this request with accept, decline, or dismiss.')
}

function toResult(outcome: Outcome): ElicitResult {
  if (outcome.kind !== 'accept')
    return { action: outcome.kind === 'decline' ? 'decline' : 'cancel' }
  const { content } = outcome
  return { action: 'accept', ...(content !== undefined && { content }) }
}

function refused(why: string): ResponseError {
  return new ResponseError(INVALID_PARAMS, `Unsupported elicitation: ${why}.`)
}
