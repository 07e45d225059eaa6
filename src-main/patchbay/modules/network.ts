import { join } from 'node:path'

import { type ResolveProxy, SystemNetwork } from '../../core/network/system-network'
import { NetworkChoice } from '../../core/network-choice/network-choice'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'

export type NetworkModule = {
  /** The user's network settings. */
  readonly choice: NetworkChoice
  readonly network: SystemNetwork
  readonly handlers: HandlersOf<'network'>
  close(): Promise<void>
}

/** Opens the network. */
export function openNetwork(
  { profileDir, store, vault }: AppContext,
  resolveProxy: ResolveProxy | undefined,
): NetworkModule {
  const { platform, env: environment } = process
  const folder = join(profileDir, 'certificates')
  const place = { folder, platform, environment, resolveProxy }
  const choice = new NetworkChoice({ store, secrets: vault, ...place })
  const network = new SystemNetwork({ resolveProxy, rule: choice.rule })
  return {
    ...{ choice, network },
    handlers: {
      'network.read': () => choice.view(),
      'network.setPassword': ({ password }) => choice.setPassword(password),
    },
    close: async () => {
      choice[Symbol.dispose]()
      await network[Symbol.asyncDispose]()
    },
  }
}
