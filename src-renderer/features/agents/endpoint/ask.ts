import type { RequestChannel } from '../../../../src-shared/ipc/channels'
import type { RequestInput, RequestOutput } from '../../../../src-shared/ipc/contract/contract'
import { call, toErrorShape } from '../../../ipc/call'
import { showToast } from '../../../ui/overlays/toast'

/** What main refused, as one text. */
export function refusalWords(thrown: unknown): string {
  const { message, hint } = toErrorShape(thrown)
  return [message, hint].filter(Boolean).join(' ')
}

/** Asks main for something that has no field of its own; undefined where it was refused, which is shown. */
export async function ask<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C>,
): Promise<{ readonly answer: RequestOutput<C> } | undefined> {
  try {
    return { answer: await call(channel, input) }
  } catch (thrown) {
    showToast({ message: refusalWords(thrown), tone: 'error' })
    return undefined
  }
}
