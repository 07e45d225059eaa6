import type { Installation } from '../../../src-shared/domain/installation/installation'

type Policy = Pick<Installation, 'enabled' | 'starts'>

/** Whether a server starts when the app does. */
export function startsWithApp({ enabled, starts }: Policy): boolean {
  return enabled && starts === 'withApp'
}

/** Whether switching a server on starts it at once: one that starts with its first use does so once, as nobody can use a tool that was never listed. */
export function startsWhenEnabled({ enabled, starts }: Policy, isListed: boolean): boolean {
  return enabled && (starts === 'withApp' || (starts === 'onFirstUse' && !isListed))
}
