import type { RequestChannel, RequestInput, RequestOutput } from '../../../src-shared/ipc/contract'
import { call, toErrorShape } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { problemWords } from '../../ui/text/problem-messages'

/** What main refused, as one text. */
export function refusalWords(thrown: unknown): string {
  return problemWords(toErrorShape(thrown))
}

/** Asks main for something that has no field of its own; undefined where it was refused, which is shown. */
export async function ask<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C>,
): Promise<{ readonly answer: RequestOutput<C> } | undefined> {
  try {
    return { answer: await call(channel, input) }
  } catch (thrown) {
    tellFailure(thrown)
    return undefined
  }
}
