import { Clock, RotateCw, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'

import type { CatalogState, SourceView } from '../../../src-shared/domain/catalog/catalog-state'
import { useCatalog } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { Button, ButtonLink } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { ProblemText } from '../../ui/fields/problem-text'
import { useMediaQuery } from '../../ui/layout/use-media-query'
import { Popover } from '../../ui/overlays/popover'
import { problemWords } from '../../ui/text/problem-messages'
import { faultOf, hostOf, listedText } from '../../ui/text/registry-messages'
import { freshText, progressText } from './catalog-messages'
import { syncRegistry } from './catalog-sync-calls'
import { setCatalogView, useCatalogView } from './filters/catalog-view-store'

function RegistryState({
  source,
  progress,
}: {
  readonly source: SourceView
  readonly progress: CatalogState['progress']
}): ReactElement {
  const now = useNow(20_000)
  const { sourceId, baseUrl } = source
  const host = hostOf(baseUrl)
  const fault = progress ? undefined : faultOf(source)
  const isNow = progress?.sourceId === sourceId
  return (
    <li className="stack gap-1 break">
      <b title={baseUrl}>{host}</b>
      <span className="soft num">
        {isNow ? `Refreshing: ${progressText(progress)}` : listedText(source, now)}
      </span>
      {fault && (
        <>
          <ProblemText alert={false}>{problemWords(fault)}</ProblemText>
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
}

function RegistryStates(): ReactElement {
  const catalog = useCatalog()
  const followed = (catalog?.sources ?? []).filter(({ enabled }) => enabled)
  return (
    <div className="registry-states stack at-start gap-3">
      <h2>Registries</h2>
      {followed.length === 0 ? (
        <p className="soft">Registry sync is off.</p>
      ) : (
        <ul className="stack gap-3" aria-label="Synced registries">
          {followed.map((source) => (
            <RegistryState key={source.sourceId} source={source} progress={catalog?.progress} />
          ))}
        </ul>
      )}
      <ButtonLink size="small" href="/settings">
        Open Settings
      </ButtonLink>
    </div>
  )
}

/** How fresh the catalog is, or how far its sync; a press shows that of each registry. In a narrow window its words are in its name. */
export function FreshnessButton({ catalog }: { readonly catalog: CatalogState }): ReactElement {
  const now = useNow(20_000)
  const isNarrow = useMediaQuery('(width < 68.75rem)')
  const showsRegistries = useCatalogView('showsRegistries')
  const { progress, sources } = catalog
  const text = progress ? `Refreshing: ${progressText(progress)}` : freshText(catalog, now)
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
          <Button variant="quiet" size="small" icon={icon} className="num nowrap">
            {text}
          </Button>
        )
      }
    >
      <RegistryStates />
    </Popover>
  )
}
