import type { ProfileDocument } from '../../core/installation/store/profile-document'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'
import { Traffic, type TrafficOptions } from '../../core/traffic/traffic'
import { Trials } from '../../core/trials/trials'
import type { OpenTools } from './open-tools'

/** What a person tries of servers, and the messages of their sessions. */
export type OpenTrials = {
  readonly trials: Trials
  readonly traffic: Traffic
  /** Cancels what is on its way. */
  close(): Promise<void>
}

/** Opens both; nothing of them is kept on the disk. */
export function openTrials(parts: {
  readonly store: ProfileDocument
  readonly offered: Pick<OpenTools, 'tools' | 'watches'>
  readonly servers: Pick<ServerDirectory, 'find' | 'read'>
  readonly feed: Pick<StateFeed, 'trialProgressed' | 'resourceUpdated'>
}): OpenTrials {
  const { store, offered, servers, feed } = parts
  const { tools, watches } = offered
  const redactorOf: TrafficOptions['redactorOf'] = (id) => servers.find(id)?.log.redactor
  const traffic = new Traffic({ redactorOf })
  const following = store.onDidChange(() => traffic.keepOnly((id) => store.find(id) !== undefined))
  const trials = new Trials({
    ...{ store, servers, tools, watches },
    redactorOf,
    onProgress: (progress) => feed.trialProgressed(progress),
    onUpdated: (resource) => feed.resourceUpdated(resource),
  })
  return {
    trials,
    traffic,
    close: async () => {
      following[Symbol.dispose]()
      traffic[Symbol.dispose]()
      await trials[Symbol.asyncDispose]()
    },
  }
}
