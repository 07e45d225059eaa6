import { AppError } from '../../../../src-shared/domain/app-error'
import type { BundleOpener } from '../../../core/bundle/bundle-opener'
import { installedOf } from '../../../core/bundle/installed-bundles'
import type { Catalog } from '../../../core/catalog/catalog'
import type { ProfileDocument } from '../../../core/installation/store/profile-document'
import type { Handlers } from '../../answer'

export type BundleParts = {
  readonly catalog: Catalog
  readonly bundles: BundleOpener
  readonly store: ProfileDocument
}

/** Answers what concerns the opening of bundles. */
export function bundleHandlers({
  catalog,
  bundles,
  store,
}: BundleParts): Pick<Handlers, Extract<keyof Handlers, `bundle.${string}`>> {
  return {
    'bundle.open': async ({ openingId, entryId, offer }) => {
      const entry = await catalog.find(entryId)
      const pkg = offer.kind === 'package' ? entry.server.packages[offer.index] : undefined
      if (pkg?.registryType !== 'mcpb') throw noBundle(entry.server.name)
      const opened = await bundles.openOffer(openingId, { entry, pkg })
      return { ...opened, installed: [] }
    },
    'bundle.openFile': async ({ openingId, path }) => {
      const opened = await bundles.openFile(openingId, path)
      return { ...opened, installed: installedOf(opened, store.installations) }
    },
    'bundle.progress': ({ openingId }) => bundles.progress(openingId),
    'bundle.cancel': ({ openingId }) => bundles.cancel(openingId),
  }
}

function noBundle(name: string): AppError {
  return new AppError('UNSUPPORTED_PACKAGE', `${name} has no such bundle.`, {
    hint: 'Choose another package of this server.',
  })
}
