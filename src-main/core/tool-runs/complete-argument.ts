import * as z from 'zod'

import type { CompletionRequest } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import type { RequestOutput } from '../../../src-shared/ipc/contract/contract'
import { RefusedRequestError } from '../mcp/peer/request-failure'
import type { ServerSession } from '../mcp/session'

type Completion = RequestOutput<'toolRun.complete'>

const METHOD = 'completion/complete'
const METHOD_NOT_FOUND = -32_601
/** Nobody who types waits longer. */
const TIMEOUT_MS = 5_000
/** MCP, completion: a server gives no more. */
const MOST_VALUES = 100
const LONGEST_VALUE = 10_000

const Answer = z.object({
  completion: z.object({
    values: z.array(z.string()),
    total: z.number().optional().catch(undefined),
    hasMore: z.boolean().optional().catch(undefined),
  }),
})

const NOTHING: Completion = { values: [], hasMore: false }

/** What a server offers for an argument; empty where it completes none. Rejects as `ServerSession.request` does. */
export async function completeArgument(
  session: ServerSession,
  { ref, argument, context }: CompletionRequest,
): Promise<Completion> {
  // Many know the method that declare nothing; asking those that do not costs them a refusal at each key.
  if (session.news.declared?.completions === undefined) return NOTHING
  const params = { ref, argument, ...(context && { context }) }
  try {
    return read(await session.request(METHOD, params, { timeoutMs: TIMEOUT_MS }))
  } catch (error) {
    const isUnknown =
      error instanceof RefusedRequestError && error.refusal.code === METHOD_NOT_FOUND
    if (isUnknown) return NOTHING
    throw error
  }
}

function read(answer: unknown): Completion {
  const { data } = Answer.safeParse(answer)
  if (!data)
    throw new AppError('INVALID_ANSWER', `The response to ${METHOD} has no list of values.`, {
      hint: 'The fault is in the server. Update it, or report the fault to its authors.',
    })
  const { values, total, hasMore } = data.completion
  const fitting = values.filter(({ length }) => length <= LONGEST_VALUE).slice(0, MOST_VALUES)
  const isCut = fitting.length < values.length
  return {
    values: fitting,
    ...(total !== undefined && { total }),
    hasMore: hasMore ?? isCut,
  }
}
