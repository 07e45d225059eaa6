import { Clock, RefreshCw, RotateCw, TriangleAlert, X } from 'lucide-react'
import { memo, type ReactElement } from 'react'

import type { CatalogState } from '../../../src-shared/domain/catalog/catalog-state'
import { faultOf, hostOf, listedText } from '../../components/status/registry-messages'
import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { useCatalog, useNow } from '../../stores/app-store'
import { Button, ButtonLink, IconButton } from '../../ui/controls/button'
import { ProblemText } from '../../ui/fields/field'
import { Banner } from '../../ui/layout/page'
import { useMediaQuery } from '../../ui/layout/use-media-query'
import { Popover } from '../../ui/overlays/popover'
import { problemText } from '../../ui/text/format'
import { type CatalogNotice, catalogNotice, freshnessText, progressText } from './catalog-messages'
import { setCatalogView, useCatalogView } from './filters/catalog-view-store'

/** The age of the catalog, and the button that starts or cancels a sync. */
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

const OPEN_SETTINGS = (
  <ButtonLink size="small" href="/settings">
    Open Settings
  </ButtonLink>
)

function LineAction({ action, severity }: CatalogNotice): ReactElement {
  if (action === 'settings') return OPEN_SETTINGS
  const [label, act] = {
    details: ['Show why', () => setCatalogView({ showsRegistries: true })] as const,
    cancel: ['Stop', cancelCatalogSync] as const,
    sync: [severity === 'warn' ? 'Try again' : 'Sync now', syncCatalog] as const,
  }[action]
  return (
    <Button size="small" onClick={act}>
      {label}
    </Button>
  )
}

/** The notice above the catalog's list: first sync, no network or no registry. */
export const CatalogBanner = memo(function CatalogBanner(): ReactElement {
  const catalog = useCatalog()
  const now = useNow(60_000)
  const line = catalog && catalogNotice(catalog, now)
  return (
    <div className={line && 'mb-3'} role="status">
      {line && (
        <Banner severity={line.severity} title={line.title} action={<LineAction {...line} />}>
          {line.text}
        </Banner>
      )}
    </div>
  )
})

function RegistryStates(): ReactElement {
  const { sources = [], progress } = useCatalog() ?? {}
  const now = useNow(20_000)
  const followed = sources.filter(({ enabled }) => enabled)
  return (
    <div className="registry-states grid justify-items-start gap-3">
      <h2>Registries</h2>
      {followed.length === 0 ? (
        <p className="text-muted">Registry sync is off.</p>
      ) : (
        <ul className="grid gap-3" aria-label="Synced registries">
          {followed.map((source) => {
            const { sourceId, baseUrl } = source
            const host = hostOf(baseUrl)
            const fault = progress ? undefined : faultOf(source)
            return (
              <li key={sourceId} className="grid gap-1 wrap-anywhere">
                <b title={baseUrl}>{host}</b>
                <span className="text-muted tabular-nums">
                  {progress?.sourceId === sourceId
                    ? `Refreshing: ${progressText(progress)}`
                    : listedText(source, now)}
                </span>
                {fault && (
                  <>
                    <ProblemText alert={false}>{problemText(fault)}</ProblemText>
                    <span>
                      <Button
                        size="small"
                        icon={RotateCw}
                        aria-label={`Try again: ${host}`}
                        onClick={() => syncRegistry(sourceId)}
                      >
                        Try again
                      </Button>
                    </span>
                  </>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {OPEN_SETTINGS}
    </div>
  )
}

/**
 * The age of the catalog or the progress of its sync; a click shows each registry. In a narrow window the text is the button's accessible
 * name.
 */
function FreshnessButton({ catalog }: { readonly catalog: CatalogState }): ReactElement {
  const now = useNow(20_000)
  const isNarrow = useMediaQuery('(width < 68.75rem)')
  const showsRegistries = useCatalogView('showsRegistries')
  const { progress, sources } = catalog
  const text = progress ? `Refreshing: ${progressText(progress)}` : freshnessText(catalog, now)
  const isFaulty = !progress && sources.some((one) => one.enabled && faultOf(one) !== undefined)
  const icon = isFaulty ? TriangleAlert : Clock
  return (
    <Popover
      label="Registries"
      open={showsRegistries}
      onOpenChange={(open) => setCatalogView({ showsRegistries: open })}
      trigger={
        isNarrow ? (
          <IconButton icon={icon} label={text} />
        ) : (
          <Button
            variant="quiet"
            size="small"
            icon={icon}
            className="whitespace-nowrap tabular-nums"
          >
            {text}
          </Button>
        )
      }
    >
      <RegistryStates />
    </Popover>
  )
}

function syncCatalog(): void {
  call('catalog.sync', {}).catch(showFailure)
}

function syncRegistry(sourceId: string): void {
  call('catalog.sync', { sourceId }).catch(showFailure)
}

function cancelCatalogSync(): void {
  call('catalog.cancelSync', {}).catch(showFailure)
}
