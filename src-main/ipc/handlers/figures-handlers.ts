import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import type { Figures } from '../../core/figures/figures'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import type { Handlers } from '../answer'

export type FiguresParts = {
  readonly figures: Figures
  readonly store: ProfileDocument
  readonly info: Pick<AppInfo, 'version'>
}

/** Answers what was counted of servers. */
export function figuresHandlers({
  figures,
  store,
  info,
}: FiguresParts): Pick<Handlers, Extract<keyof Handlers, `figures.${string}`>> {
  return {
    'figures.read': ({ installationId, range }) => figures.read(installationId, range),
    'figures.export': async () => {
      const ids = store.installations.map(({ installationId }) => installationId)
      // Documented in docs/metrics.md.
      const text = {
        format: 'patchbay-figures',
        formatVersion: 1,
        app: { name: 'Patchbay', version: info.version },
        exportedAt: new Date().toISOString(),
        ...(await figures.readAll(ids)),
      }
      return JSON.stringify(text, null, 2)
    },
  }
}
