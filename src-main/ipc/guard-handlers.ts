import type { RequestGate } from '../core/removal/request-gate'
import type { Handlers } from './answer'

/** The same handlers, which answer with REMOVED from the beginning of a removal on, except the removal's own. */
export function guardHandlers(handlers: Handlers, door: RequestGate): Handlers {
  const through = Object.entries(handlers).map(([channel, handler]) => {
    const handle = handler as (input: unknown) => unknown
    const isRemoval = channel.startsWith('removal.')
    return [channel, isRemoval ? handle : (input: unknown) => door.pass(() => handle(input))]
  })
  return Object.fromEntries(through) as Handlers
}
