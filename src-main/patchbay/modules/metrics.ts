import { join } from 'node:path'

import { background } from '../../core/lifecycle/background'
import { countedServer } from '../../core/metrics/counted-server'
import { Metrics } from '../../core/metrics/metrics'
import { MetricsExporter } from '../../core/metrics/metrics-exporter'
import { MetricsFolder } from '../../core/metrics/metrics-folder'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'
import type { NetworkModule } from './network'

const DAY_MS = 86_400_000
const SEND_EVERY_MS = 60_000
/** Maximum age of a process measurement. On Windows it takes a second of PowerShell, so at most one per minute. */
const FRESH_MS = process.platform === 'win32' ? 50_000 : 2_000

export type MetricsModule = {
  readonly metrics: Metrics
  readonly handlers: HandlersOf<'metrics'>
  /** Writes and sends the counts; settles within about 2 s. */
  close(): Promise<void>
}

/** Opens the metrics below the profile folder, deletes old ones now and daily, and follows the collector setting. */
export function openMetrics(
  { profileDir, info, store, notices, time }: AppContext,
  servers: ServerDirectory,
  { network, choice }: NetworkModule,
): MetricsModule {
  const { version } = info
  const nameOf = (installationId: string): string => store.find(installationId)?.name ?? ''
  const warn = (noticeId: string, title: string) => (message: string | undefined) =>
    notices.warn(noticeId, title, message)
  const folder = new MetricsFolder(
    join(profileDir, 'figures'),
    Date.now,
    warn('figures-files', 'Metrics aren’t saved to disk'),
  )
  const outlet = new MetricsExporter({
    version,
    servers: () =>
      [...metrics.recorders()].map(([installationId, recorder]) => {
        return { installationId, name: nameOf(installationId), recorder }
      }),
    onProblem: warn('figures-collector', 'Metrics don’t reach the collector'),
    proxyTo: async (address) => (await network.proxiesTo(address))[0],
    everyMs: SEND_EVERY_MS,
  })
  const metrics: Metrics = new Metrics({
    folder,
    time,
    maxAgeMs: FRESH_MS,
    find: (installationId) => {
      const server = servers.find(installationId)
      return server && countedServer(server)
    },
    nameOf,
    onRequest: (installationId, request) =>
      outlet.record({ installationId, name: nameOf(installationId) }, request),
  })
  outlet.moveTo(store.settings.otlpEndpoint)
  const following = [
    servers.onDidChange((installationId) => metrics.changed(installationId)),
    store.onDidChange(() => outlet.moveTo(store.settings.otlpEndpoint)),
    choice.onDidChange(() => outlet.networkChanged()),
  ]
  const sweep = (): void => background(folder.sweep(), 'deleting old metrics')
  sweep()
  const daily = setInterval(sweep, DAY_MS).unref()
  return {
    metrics,
    handlers: {
      'metrics.read': ({ installationId, range }) => metrics.read(installationId, range),
      'metrics.export': async () => {
        const ids = store.installations.map(({ installationId }) => installationId)
        // Documented in docs/metrics.md.
        const text = {
          format: 'patchbay-figures',
          formatVersion: 1,
          app: { name: 'Patchbay', version },
          exportedAt: new Date().toISOString(),
          ...(await metrics.readAll(ids)),
        }
        return JSON.stringify(text, null, 2)
      },
    },
    close: async () => {
      clearInterval(daily)
      for (const one of following) one[Symbol.dispose]()
      await Promise.all([outlet.close(), metrics.close()])
    },
  }
}
