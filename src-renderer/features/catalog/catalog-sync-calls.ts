import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'

/** Brings every registry that is followed up to date; how that goes is state of the catalog. */
export function syncCatalog(): void {
  call('catalog.sync', {}).catch(tellFailure)
}

/** Brings one registry alone up to date. */
export function syncRegistry(sourceId: string): void {
  call('catalog.sync', { sourceId }).catch(tellFailure)
}

/** Ends the sync under way; what came stays. */
export function cancelCatalogSync(): void {
  call('catalog.cancelSync', {}).catch(tellFailure)
}
