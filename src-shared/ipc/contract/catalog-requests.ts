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

/** Chosen by the caller, to follow and to cancel it. */
const OpeningRef = z.object({ openingId: z.string().min(1).max(64) })

/** Reference to a registry of the catalog. */
const SourceRef = z.object({ sourceId: z.string().min(1).max(100) })
/** A version of a listed server. */
const VersionText = z.string().max(255)

/** Requests on the catalog, its registries and entries, and their bundles. */
export const catalogRequests = {
  /** Loads the search index before the first query. */
  'catalog.prepareSearch': command(z.object({})),
  /**
   * Returns one page of results from the local copy, also offline. Null if a newer query of the same `searchBox`, which the caller names,
   * arrived before the response.
   */
  'catalog.query': request(
    CatalogQuery.extend({ searchBox: z.string().max(64) }),
    CatalogPage.nullable(),
  ),
  /** Rejects with NOT_FOUND for a server that is no longer listed. */
  'catalog.detail': request(ListedRef, CatalogDetail),
  /** Requests the versions from the registry, and returns the known ones if it does not respond. Rejects like `catalog.detail`. */
  'catalog.versions': request(ListedRef, VersionList),
  /** Returns another version of a listed server, to view or set up. Rejects like `catalog.detail`. */
  'catalog.readVersion': request(ListedRef.extend({ version: VersionText }), CatalogEntry),
  /** Compares the documents of two versions line by line. Rejects like `catalog.detail`. */
  'catalog.compareVersions': request(
    ListedRef.extend({ from: VersionText, to: VersionText }),
    z.array(ChangedLine),
  ),
  /** Returns the icon of a listed server as a data: URL; null if there is none that may be shown. */
  'catalog.icon': request(ListedRef, z.string().nullable()),
  /** Adds a server to the favorites or removes it, and records that it was viewed. */
  'catalog.mark': command(
    ListedRef.extend({
      isFavorite: z.boolean().optional(),
      isViewed: z.literal(true).optional(),
    }),
  ),
  /** Syncs the catalog with its registries, or with one of them. Responds as soon as the sync has started; the state has the progress. */
  'catalog.sync': command(SourceRef.partial()),
  'catalog.cancelSync': command(z.object({})),
  /** Adds a registry with API v0.1. Rejects with NAME_TAKEN, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  'catalog.addSource': request(
    z.object({ baseUrl: RegistrySource.shape.baseUrl, token: SecretText.optional() }),
    SourceRef,
  ),
  /** Enables or disables a registry, or sets its token (null: none). Rejects like `catalog.addSource`, and with NOT_FOUND. */
  'catalog.changeSource': command(
    SourceRef.extend({
      enabled: z.boolean().optional(),
      token: SecretText.nullable().optional(),
    }),
  ),
  /** Deletes a registry, its token, and the servers that only it lists. */
  'catalog.removeSource': command(SourceRef),
  /** Returns an entry that was shown or pasted since the app started, or a listed version. Rejects with NOT_FOUND. */
  'catalog.read': request(z.object({ entryId: EntryId }), CatalogEntry),
  /** Returns the entry of an installation as it was set up, for another copy. */
  'catalog.readInstalled': request(ServerRef, CatalogEntry),
  /**
   * Downloads the bundle of a package and unpacks it; responds when done. Rejects with INVALID_BUNDLE, INSTALL_FAILED, UNSUPPORTED_PACKAGE
   * or REQUEST_CANCELLED.
   */
  'bundle.open': request(OpeningRef.extend(EntryRef.shape), OpenedBundle),
  /** Does the same with a file on Patchbay's computer; also rejects with NOT_FOUND. */
  'bundle.openFile': request(
    OpeningRef.extend({ path: z.string().min(1).max(4_096) }),
    OpenedBundle,
  ),
  /** Null before and after an opening. */
  'bundle.progress': request(OpeningRef, BundleProgress.nullable()),
  'bundle.cancel': command(OpeningRef),
}
