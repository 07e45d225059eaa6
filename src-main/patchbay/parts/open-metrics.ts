import { join } from 'node:path'

import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { systemTime } from '../../core/lifecycle/system-time'
import { countedServer } from '../../core/metrics/counted-server'
import { Metrics } from '../../core/metrics/metrics'
import { MetricsExporter } from '../../core/metrics/metrics-exporter'
import { MetricsFolder } from '../../core/metrics/metrics-folder'
import type { SystemNetwork } from '../../core/network/system-network'
import type { NetworkChoice } from '../../core/network-choice/network-choice'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'

const DAY_MS = 86_400_000
const SEND_EVERY_MS = 60_000
/** How old a look at the processes may be. On Windows it takes a second of PowerShell: not more than one a minute. */
const FRESH_MS = process.platform === 'win32' ? 50_000 : 2_000

/** Where everything is counted, and from where it goes to a collector. */
export type OpenMetrics = {
  readonly metrics: Metrics
  /** Writes and sends what was counted; settles within about 2 s. */
  close(): Promise<void>
}

/** Opens the figures below the profile folder, deletes there what is too old, now and each day, and follows the setting of a collector. */
export function openMetrics(parts: {
  readonly profileDir: string
  readonly version: string
  readonly store: ProfileDocument
  readonly feed: StateFeed
  readonly servers: () => ServerDirectory
  readonly network: Pick<SystemNetwork, 'proxiesTo'>
  readonly choice: Pick<NetworkChoice, 'onDidChange'>
}): OpenMetrics {
  const { profileDir, version, store, feed, servers, network, choice } = parts
  const nameOf = (installationId: string): string => store.find(installationId)?.name ?? ''
  const warn = (noticeId: string, title: string) => (message: string | undefined) => {
    if (message === undefined) feed.dismissNotice(noticeId)
    else feed.addNotice({ noticeId, severity: 'warn', title, message })
  }
  const folder = new MetricsFolder({
    folder: join(profileDir, 'figures'),
    now: Date.now,
    onTrouble: warn('figures-files', 'Metrics aren’t saved to disk'),
  })
  const outlet = new MetricsExporter({
    version,
    servers: () =>
      [...metrics.recorders()].map(([installationId, recorder]) => {
        return { installationId, name: nameOf(installationId), recorder }
      }),
    onTrouble: warn('figures-collector', 'Metrics don’t reach the collector'),
    proxyTo: async (address) => (await network.proxiesTo(address))[0],
    everyMs: SEND_EVERY_MS,
  })
  const metrics = new Metrics({
    folder,
    time: systemTime,
    freshMs: FRESH_MS,
    find: (installationId) => {
      const server = servers().find(installationId)
      return server && countedServer(server)
    },
    nameOf,
    onRequest: (installationId, request) =>
      outlet.record({ installationId, name: nameOf(installationId) }, request),
  })
  outlet.moveTo(store.settings.otlpEndpoint)
  const following = [
    store.onDidChange(() => outlet.moveTo(store.settings.otlpEndpoint)),
    choice.onDidChange(() => outlet.networkChanged()),
  ]
  void folder.sweep()
  const daily = setInterval(() => void folder.sweep(), DAY_MS).unref()
  return {
    metrics,
    close: async () => {
      clearInterval(daily)
      for (const one of following) one[Symbol.dispose]()
      await Promise.all([outlet.close(), metrics.close()])
    },
  }
}
