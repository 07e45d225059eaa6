import * as z from 'zod'

import type { QuestionAnswer, QuestionBody } from '../../../../src-shared/domain/agents/question'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { Outcome } from '../../questions/questions'
import { mayOpen } from '../../sign-in/sign-in-address'
import { INVALID_PARAMS, ResponseError } from '../peer/incoming-requests'
import { askedFields } from './asked-fields'
import { askedText } from './asked-text'
import { fitAnswer } from './fit-answer'

const LONGEST_MESSAGE = 4_000
const LONGEST_URL = 8_192
const LONGEST_ID = 1_000

const Params = z.union([
  z.object({
    mode: z.literal('url'),
    message: z.string(),
    url: z.string(),
    // There is none since 2026-07-28.
    elicitationId: z.string().max(LONGEST_ID).optional(),
  }),
  z.object({
    mode: z.literal('form').optional(),
    message: z.string(),
    requestedSchema: z.unknown(),
  }),
])

/** What is answered to a server (MCP, elicitation, response actions). */
export const ElicitResult = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .optional(),
})
export type ElicitResult = z.infer<typeof ElicitResult>

/** What a server asks a person for. */
export type Elicitation = {
  readonly body: Exclude<QuestionBody, { kind: 'call' }>
  /** Names a page, so that the server can say that what is to be done there is done. */
  readonly elicitationId: string | undefined
  /** Throws INVALID_VALUES for an answer that does not fit. */
  readonly check: (answer: QuestionAnswer) => void
  /** What the server is told of the outcome. */
  readonly resultOf: (outcome: Outcome) => ElicitResult
}

/** Reads the parameters of `elicitation/create`. Throws a `ResponseError` for what no person can be shown. */
export function readElicitation(params: unknown): Elicitation {
  const { data } = Params.safeParse(params)
  if (!data)
    throw refused(
      'elicitation/create needs a message, and a requestedSchema (mode "form") or a url (mode "url")',
    )
  const message = askedText(data.message, LONGEST_MESSAGE)
  return data.mode === 'url' ? pageElicitation(message, data) : formElicitation(message, data)
}

function formElicitation(
  message: string,
  { requestedSchema }: { readonly requestedSchema?: unknown },
): Elicitation {
  const fields = askedFields(requestedSchema)
  const fit = (answer: QuestionAnswer): QuestionAnswer => {
    if (answer.kind !== 'accept') return answer
    return { kind: 'accept', content: fitAnswer(fields, answer.content) }
  }
  return {
    body: { kind: 'form', message, fields },
    elicitationId: undefined,
    check: (answer) => {
      checkKind(answer)
      fit(answer)
    },
    resultOf: (outcome) =>
      outcome.kind === 'unanswered' ? { action: 'cancel' } : toResult(fit(outcome)),
  }
}

function pageElicitation(
  message: string,
  { url, elicitationId }: { readonly url: string; readonly elicitationId?: string | undefined },
): Elicitation {
  const page = url.length <= LONGEST_URL && URL.canParse(url) ? new URL(url) : undefined
  if (!page || !mayOpen(page))
    throw refused('a page must be an https address, or http on this computer, without a password')
  return {
    body: { kind: 'page', message, url: page.href, host: page.host },
    elicitationId,
    check: checkKind,
    resultOf: (outcome) => toResult(outcome.kind === 'accept' ? { kind: 'accept' } : outcome),
  }
}

function checkKind({ kind }: QuestionAnswer): void {
  if (kind === 'allow' || kind === 'deny')
    throw new AppError('INVALID_VALUES', 'This question is answered by accept, decline or dismiss.')
}

function toResult(outcome: Outcome): ElicitResult {
  switch (outcome.kind) {
    case 'accept':
      return {
        action: 'accept',
        ...(outcome.content !== undefined && { content: outcome.content }),
      }
    case 'decline':
      return { action: 'decline' }
    case 'allow':
    case 'deny':
    case 'dismiss':
    case 'unanswered':
      return { action: 'cancel' }
  }
}

function refused(why: string): ResponseError {
  return new ResponseError(INVALID_PARAMS, `A person cannot be asked that: ${why}.`)
}
