import { isObject } from '../json/is-object'

type Answer = Readonly<Record<string, unknown>>

/** What is against the protocol in an answer and yet leaves no doubt of what is meant, as the end of a sentence. */
export function answerQuirk(
  { id, result, error }: Answer,
  asked: number | string,
  body: Answer,
): string | undefined {
  if (id !== asked) return 'its id as text'
  if (result !== undefined && error === null) return 'an empty error beside its result'
  if (result === null && isObject(error)) return 'an empty result beside its error'
  return 'result' in body && body.result !== result ? 'a result without its resultType' : undefined
}

/**
 * Result and error of an answer, without the one that is there and empty beside the other. In the newer era a result
 * that does not say of which type it is counts as the whole one (MCP 2026-07-28, results).
 */
export function answerBody({ result, error }: Answer, isModern: boolean): Answer {
  if (result === null && isObject(error)) return { error }
  const isUntyped = isModern && isObject(result) && result.resultType === undefined
  const whole = isUntyped ? { ...result, resultType: 'complete' } : result
  if (result !== undefined && error === null) return { result: whole }
  return { ...(result !== undefined && { result: whole }), ...(error !== undefined && { error }) }
}

/** What makes an answer unusable, as the end of a sentence. */
export function answerProblem(body: Answer): string | undefined {
  const { result, error } = body
  if (result === undefined && error === undefined) return 'neither a result nor an error'
  if ('result' in body && 'error' in body) return 'both a result and an error'
  if ('error' in body) {
    const { code, message } = isObject(error) ? error : {}
    const isError = Number.isSafeInteger(code) && typeof message === 'string'
    return isError ? undefined : 'an error without a number as code or without a message'
  }
  if (!isObject(result)) return 'a result that is no object'
  return result._meta === undefined || isObject(result._meta)
    ? undefined
    : 'a result whose _meta is no object'
}
