import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import type { Metrics } from '../../core/metrics/metrics'
import type { Handlers } from '../answer'

export type MetricsParts = {
  readonly metrics: Metrics
  readonly store: ProfileDocument
  readonly info: Pick<AppInfo, 'version'>
}

/** Answers what was counted of servers. */
export function metricsHandlers({
  metrics,
  store,
  info,
}: MetricsParts): Pick<Handlers, Extract<keyof Handlers, `metrics.${string}`>> {
  return {
    'metrics.read': ({ installationId, range }) => metrics.read(installationId, range),
    'metrics.export': async () => {
      const ids = store.installations.map(({ installationId }) => installationId)
      // Documented in docs/metrics.md.
      const text = {
        format: 'patchbay-figures',
        formatVersion: 1,
        app: { name: 'Patchbay', version: info.version },
        exportedAt: new Date().toISOString(),
        ...(await metrics.readAll(ids)),
      }
      return JSON.stringify(text, null, 2)
    },
  }
}
