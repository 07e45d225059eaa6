import * as z from 'zod'

import { AppError } from '../../../../src-shared/domain/app-error'
import { isObject } from '../json/is-object'
import type { JsonObject } from '../json/json-rpc'
import type { ResultText } from '../json/result-text'
import type { RequestLimits } from '../peer/request-deadline'
import { cancelledFailure, overdueFailure, RefusedRequestError } from '../peer/request-failure'

/** How often a server may want something more before it answers. */
const MOST_ROUNDS = 10
/** MCP 2025-11-25, URL elicitation required. */
const PAGES_NEEDED = -32_042
const MOST_PAGES = 5

type Params = JsonObject

/** A result that asks for something else first (MCP 2026-07-28, multi round-trip requests). */
export type InputRequired = {
  readonly inputRequests?: JsonObject
  readonly requestState?: unknown
}

const Pages = z.object({
  elicitations: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_PAGES),
})

/** A refusal that names pages which its person has to open first. */
class PagesNeeded {
  constructor(
    readonly pages: readonly Params[],
    readonly refusal: unknown,
  ) {}
}

/** A request that its server may want something more for. */
export type RoundsRequest = RequestLimits & {
  readonly method: string
  readonly params: Params
  readonly signal: AbortSignal | undefined
}

export type RoundsParts = {
  readonly send: (params: Params, limits: RequestLimits) => Promise<ResultText>
  /** What goes with the next round, for what the server wants. */
  readonly inputsFor: (wanted: InputRequired) => Promise<Params>
  /** Whether all of them were opened, and what is to be done there is done. */
  readonly openPages: (pages: readonly Params[]) => Promise<boolean>
}

/**
 * Sends a request, and again for each time that its server wants something more first: the person's answers, which go
 * with the next round alone (MCP 2026-07-28, multi round-trip requests), or that pages are opened, once. The rounds
 * share its limits; what is spent between them does not count. Nobody is asked where no round would follow. Settles as
 * the last of them does.
 */
export async function sendInRounds(
  request: RoundsRequest,
  parts: RoundsParts,
): Promise<ResultText> {
  const { method, timeoutMs, maxTotalMs, signal } = request
  let { params } = request
  let usedMs = 0
  let hasOpened = false
  for (let round = 1; ; round += 1) {
    const left = maxTotalMs - usedMs
    const limits =
      round === 1 ? request : { timeoutMs: Math.min(timeoutMs, left), maxTotalMs: left }
    const from = performance.now()
    const answer = await parts.send(params, limits).catch(pagesNeeded)
    usedMs += performance.now() - from
    const failure =
      usedMs < maxTotalMs ? endless(round, method) : overdueFailure(method, maxTotalMs)
    if (answer instanceof PagesNeeded) {
      if (hasOpened || failure || !(await parts.openPages(answer.pages))) throw answer.refusal
      hasOpened = true
    } else {
      const { result } = answer
      if (result.resultType !== 'input_required') return answer
      if (failure) throw failure
      params = { ...request.params, ...(await parts.inputsFor(inputsIn(result))) }
    }
    if (signal?.aborted) throw cancelledFailure(method)
  }
}

function inputsIn({ inputRequests, requestState }: JsonObject): InputRequired {
  return {
    ...(isObject(inputRequests) && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  }
}

/** Why no other round follows this one; undefined where one may. */
function endless(round: number, method: string): AppError | undefined {
  if (round < MOST_ROUNDS) return undefined
  return new AppError('INVALID_ANSWER', `The server asks for more and more to answer ${method}.`, {
    hint: `It was asked ${MOST_ROUNDS} times. This is a fault of the server.`,
  })
}

/** The pages that a refusal names; throws any other. */
function pagesNeeded(refusal: unknown): PagesNeeded {
  const refused = refusal instanceof RefusedRequestError ? refusal.refusal : undefined
  const { data } = Pages.safeParse(refused?.code === PAGES_NEEDED ? refused.data : undefined)
  if (!data) throw refusal
  return new PagesNeeded(data.elicitations, refusal)
}
