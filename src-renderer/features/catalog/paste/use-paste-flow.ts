import { useLocation } from 'wouter'

import type { CatalogEntry } from '../../../../src-shared/domain/catalog/catalog-entry'
import type { Machine } from '../../../../src-shared/domain/server-json/preferred-offer'
import { entryObstacle, setupPath } from '../entry/entry-facts'
import { useMachine } from '../entry/machine'
import { type OfferView, viewsOf, viewToSetUp } from '../entry/offer-messages'
import { type Paste, usePaste } from './use-paste'

/** A paste, of `given` first, and where it leads: to the form of a server.json, or to the review of the one server that was added. */
export function usePasteFlow({
  given,
  onClose,
  onRead,
}: {
  readonly given?: string
  readonly onClose: () => void
  /** Called with every server.json that was read. */
  readonly onRead?: (entry: CatalogEntry) => void
}): { readonly paste: Paste; readonly setUp: (entry: CatalogEntry) => void } {
  const [, navigate] = useLocation()
  const machine = useMachine()
  function setUp(entry: CatalogEntry): void {
    const view = bestView(entry, machine)
    if (!view) return
    onClose()
    navigate(setupPath(entry.entryId, view.ref))
  }
  const paste = usePaste(
    {
      onEntry: (entry) => {
        onRead?.(entry)
        const isPlain = entry.notices.length === 0
        if (isPlain && entryObstacle(bestView(entry, machine)) === undefined) setUp(entry)
      },
      onAdded: ([first, ...more]) => {
        // One has nothing to be chosen from any more.
        if (first && more.length === 0) {
          onClose()
          navigate(`/servers/${first.installationId}/configure`)
        }
      },
    },
    given,
  )
  return { paste, setUp }
}

/** What of an entry is set up on this computer; undefined where it offers nothing. */
export function bestView({ server }: CatalogEntry, machine: Machine): OfferView | undefined {
  return viewToSetUp(viewsOf(server, machine), undefined)
}
