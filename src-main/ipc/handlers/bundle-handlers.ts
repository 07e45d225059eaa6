import { AppError } from '../../../src-shared/domain/app-error'
import type { BundleOpener } from '../../core/bundle/bundle-opener'
import type { Catalog } from '../../core/catalog/catalog'
import type { Handlers } from '../answer'

export type BundleParts = { readonly catalog: Catalog; readonly bundles: BundleOpener }

/** Answers what concerns the opening of bundles. */
export function bundleHandlers({
  catalog,
  bundles,
}: BundleParts): Pick<Handlers, Extract<keyof Handlers, `bundle.${string}`>> {
  return {
    'bundle.open': ({ openingId, entryId, offer }) => {
      const entry = catalog.read(entryId)
      const pkg = offer.kind === 'package' ? entry.server.packages[offer.index] : undefined
      if (pkg?.registryType !== 'mcpb') throw noBundle(entry.server.name)
      return bundles.openOffer(openingId, { entry, pkg })
    },
    'bundle.openFile': ({ openingId, path }) => bundles.openFile(openingId, path),
    'bundle.progress': ({ openingId }) => bundles.progress(openingId),
    'bundle.cancel': ({ openingId }) => bundles.cancel(openingId),
  }
}

function noBundle(name: string): AppError {
  return new AppError('UNSUPPORTED_PACKAGE', `${name} has no such bundle.`, {
    hint: 'Choose another package of this server.',
  })
}
