import { RefreshCw, X } from 'lucide-react'
import type { ReactElement } from 'react'
import { memo } from 'react'

import { useCatalog } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { Button, ButtonLink } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { Banner } from '../../ui/layout/banner'
import { type CatalogLine, catalogLine } from './catalog-messages'
import { cancelCatalogSync, syncCatalog } from './catalog-sync-calls'
import { setCatalogView } from './filters/catalog-view-store'
import { FreshnessButton } from './registry-states'

/** How fresh the catalog is, and the button that brings it up to date or ends that. */
export function CatalogFreshness(): ReactElement | null {
  const catalog = useCatalog()
  if (!catalog) return null
  return (
    <>
      {(catalog.servers !== undefined || catalog.progress) && <FreshnessButton catalog={catalog} />}
      {catalog.progress ? (
        <IconButton icon={X} label="Stop sync" onClick={cancelCatalogSync} />
      ) : (
        <IconButton icon={RefreshCw} label="Sync catalog" onClick={syncCatalog} />
      )}
    </>
  )
}

function LineAction({ action, severity }: CatalogLine): ReactElement {
  if (action === 'settings')
    return (
      <ButtonLink size="small" href="/settings">
        Open Settings
      </ButtonLink>
    )
  if (action === 'details')
    return (
      <Button size="small" onClick={() => setCatalogView({ showsRegistries: true })}>
        Show why
      </Button>
    )
  const again = severity === 'warn' ? 'Try again' : 'Sync now'
  return (
    <Button size="small" onClick={action === 'sync' ? syncCatalog : cancelCatalogSync}>
      {action === 'cancel' ? 'Stop' : again}
    </Button>
  )
}

/** What is to be said of the catalog above its list: the first sync, no network, no registry. */
export const CatalogBanner = memo(function CatalogBanner(): ReactElement {
  const catalog = useCatalog()
  const now = useNow(60_000)
  const line = catalog && catalogLine(catalog, now)
  return (
    <div className={line && 'below-3'} role="status">
      {line && (
        <Banner severity={line.severity} title={line.title} action={<LineAction {...line} />}>
          {line.text}
        </Banner>
      )}
    </div>
  )
})
