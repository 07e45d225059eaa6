import type { NetworkChoice } from '../../core/network-choice/network-choice'
import type { Handlers } from '../answer'

export type NetworkParts = { readonly choice: NetworkChoice }

/** Answers what the settings of the network ask. */
export function networkHandlers({
  choice,
}: NetworkParts): Pick<Handlers, Extract<keyof Handlers, `network.${string}`>> {
  return {
    'network.read': () => choice.view(),
    'network.setPassword': ({ password }) => choice.setPassword(password),
  }
}
