import * as z from 'zod'

import { CatalogDetail, VersionList } from '../../domain/catalog/catalog-detail'
import { CatalogEntry } from '../../domain/catalog/catalog-entry'
import { CatalogPage, CatalogQuery } from '../../domain/catalog/catalog-query'
import { RegistrySource } from '../../domain/catalog/catalog-sync'
import { ListedRef } from '../../domain/catalog/listed-ref'
import { BundleProgress, OpenedBundle } from '../../domain/installation/bundle'
import { ChangedLine } from '../../domain/installation/launch-changes'
import { SecretText } from '../../domain/installation/stored-secret'
import { command, EntryId, EntryRef, request, ServerRef } from './refs'

/** Chosen by who asks, to follow and to cancel it. */
const OpeningRef = z.object({ openingId: z.string().min(1).max(64) })

/** Names a registry that the catalog follows. */
const SourceRef = z.object({ sourceId: z.string().min(1).max(100) })
/** Names one version of a listed server. */
const VersionText = z.string().max(255)

/** What the catalog lists, the registries that it follows, its entries, and the bundles that they name. */
export const catalogRequests = {
  /** Somebody is about to search: what that compares is read now. */
  'catalog.prepareSearch': command(z.object({})),
  /**
   * A part of what a search finds; answered from the computer's own copy, also offline. Null when a newer query of
   * the same searchBox, which who asks names, came before the answer did.
   */
  'catalog.query': request(
    CatalogQuery.extend({ searchBox: z.string().max(64) }),
    CatalogPage.nullable(),
  ),
  /** Rejects with NOT_FOUND for what is not listed any more. */
  'catalog.detail': request(ListedRef, CatalogDetail),
  /** Asks the registry, and gives what is known where it does not answer. Rejects as `catalog.detail` does. */
  'catalog.versions': request(ListedRef, VersionList),
  /** Another version of a listed server, to be looked at or set up. Rejects as `catalog.detail` does. */
  'catalog.readVersion': request(ListedRef.extend({ version: VersionText }), CatalogEntry),
  /** The documents of two versions, line by line. Rejects as `catalog.detail` does. */
  'catalog.compareVersions': request(
    ListedRef.extend({ from: VersionText, to: VersionText }),
    z.array(ChangedLine),
  ),
  /** The icon of a listed server as a data: address; null where there is none that may be shown. */
  'catalog.icon': request(ListedRef, z.string().nullable()),
  /** Keeps a server among the favourites or not, and notes that it was looked at. */
  'catalog.mark': command(
    ListedRef.extend({
      isFavourite: z.boolean().optional(),
      isViewed: z.literal(true).optional(),
    }),
  ),
  /** Brings the catalog up to its registries, or to one alone; answers as soon as that has begun, the rest is state. */
  'catalog.sync': command(SourceRef.partial()),
  'catalog.cancelSync': command(z.object({})),
  /** Follows one more registry of API v0.1. Rejects with NAME_TAKEN, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  'catalog.addSource': request(
    z.object({ baseUrl: RegistrySource.shape.baseUrl, token: SecretText.optional() }),
    SourceRef,
  ),
  /** Switches a registry on or off, or gives it another token (null: none). Rejects as `catalog.addSource` does, and with NOT_FOUND. */
  'catalog.changeSource': command(
    SourceRef.extend({
      enabled: z.boolean().optional(),
      token: SecretText.nullable().optional(),
    }),
  ),
  /** Forgets a registry, its token, and what it alone lists. */
  'catalog.removeSource': command(SourceRef),
  /** An entry that was shown or pasted in this run, or a version that a registry lists. Rejects with NOT_FOUND. */
  'catalog.read': request(z.object({ entryId: EntryId }), CatalogEntry),
  /** The entry of an installation as it was set up, to set up another copy. */
  'catalog.readInstalled': request(ServerRef, CatalogEntry),
  /** Downloads the bundle of a package and unpacks it; answers when it is done. Rejects with INVALID_BUNDLE, INSTALL_FAILED, UNSUPPORTED_PACKAGE or REQUEST_CANCELLED. */
  'bundle.open': request(OpeningRef.extend(EntryRef.shape), OpenedBundle),
  /** The same with a file of the computer that Patchbay runs on; also NOT_FOUND. */
  'bundle.openFile': request(
    OpeningRef.extend({ path: z.string().min(1).max(4_096) }),
    OpenedBundle,
  ),
  /** Null before an opening has begun and once it has ended. */
  'bundle.progress': request(OpeningRef, BundleProgress.nullable()),
  'bundle.cancel': command(OpeningRef),
}
