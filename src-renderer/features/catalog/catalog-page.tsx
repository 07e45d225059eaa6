import './catalog.css'

import { PackageOpen } from 'lucide-react'
import type { ReactElement } from 'react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { useRequest } from '../../ipc/use-request'
import { useServers } from '../../stores/app-store'
import { BlankState } from '../../ui/blank-state'
import { Button, ButtonLink } from '../../ui/button'
import { Page } from '../../ui/page'
import { SearchField } from '../../ui/search-field'
import { Skeleton } from '../../ui/skeleton'
import { AddMenu } from './add-menu'
import { chosenOffer, setCatalogView, useCatalogView } from './catalog-view-store'
import { EntryDetail } from './entry-detail'
import { entryObstacle, filterEntries, setupPath } from './entry-facts'
import { EntryList, moveBetweenCards } from './entry-list'
import { useFindRunners, useMachine } from './machine'
import { viewsOf, viewToSetUp } from './offer-words'
import { PasteDialog } from './paste-dialog'
import { RegistryResults } from './registry-results'
import { useRegistrySearch } from './use-registry-search'

const NONE: readonly CatalogEntry[] = []

/** Entries of the registry's answer that the starter catalog does not list in the same version. */
function withoutListed(
  found: readonly CatalogEntry[],
  listed: readonly CatalogEntry[],
): CatalogEntry[] {
  const known = new Set(listed.map(({ server }) => `${server.name}@${server.version}`))
  return found.filter(({ server }) => !known.has(`${server.name}@${server.version}`))
}

/** The installation of an entry that was made last. */
function useInstalledId(): (entry: CatalogEntry) => string | undefined {
  const servers = useServers()
  return ({ server }) =>
    servers.findLast(({ entryName }) => entryName === server.name)?.installationId
}

function NoStarter({ query }: { readonly query: string }): ReactElement {
  return (
    <p className="faint registry-words">
      {query.trim() === ''
        ? 'The starter catalog is empty.'
        : `None of the starter servers matches “${query.trim().slice(0, 60)}”.`}
    </p>
  )
}

type StarterSectionProps = {
  readonly request: ReturnType<typeof useRequest<'catalog.list'>>
  readonly query: string
  readonly list: ReactElement
  readonly count: number
}

function StarterSection({ request, query, list, count }: StarterSectionProps): ReactElement {
  const { loaded, retry } = request
  return (
    <section aria-labelledby="starter-servers">
      <div className="section-head">
        <h2 id="starter-servers">Starter servers</h2>
        <span className="count">{loaded.kind === 'ready' ? count : ''}</span>
      </div>
      {loaded.kind === 'loading' && <Skeleton label="Reading the catalog" rows={4} />}
      {loaded.kind === 'failed' && (
        <BlankState
          art="cut"
          title={loaded.problem.message}
          message={loaded.problem.hint ?? ''}
          action={<Button onClick={retry}>Try again</Button>}
        />
      )}
      {loaded.kind === 'ready' && (count === 0 ? <NoStarter query={query} /> : list)}
    </section>
  )
}

type ShownEntries = {
  readonly request: ReturnType<typeof useRequest<'catalog.list'>>
  readonly registry: ReturnType<typeof useRegistrySearch>
  readonly pasted: readonly CatalogEntry[]
  readonly starters: readonly CatalogEntry[]
  readonly found: readonly CatalogEntry[]
  readonly selected: CatalogEntry | undefined
}

/** The entries that the query leaves, by section, and the one that is selected among them. */
function useShownEntries(): ShownEntries {
  const { query, selectedId } = useCatalogView()
  const request = useRequest('catalog.list', {})
  const registry = useRegistrySearch(query)
  const { loaded } = request
  const { search } = registry
  const listed = loaded.kind === 'ready' ? loaded.value : NONE
  const own = useMemo(() => filterEntries(listed, query), [listed, query])
  const pasted = own.filter(({ source }) => source === 'pasted')
  const starters = own.filter(({ source }) => source !== 'pasted')
  const found = useMemo(
    () => (search.kind === 'found' ? withoutListed(search.entries, listed) : NONE),
    [search, listed],
  )
  const shown = [...pasted, ...starters, ...found]
  const selected = shown.find(({ entryId }) => entryId === selectedId) ?? shown[0]
  return { request, registry, pasted, starters, found, selected }
}

function Results(props: {
  readonly shown: ShownEntries
  readonly query: string
  readonly installedId: (entry: CatalogEntry) => string | undefined
  readonly onOpen: (entry: CatalogEntry) => void
}): ReactElement {
  const { shown, query, installedId, onOpen } = props
  const { request, registry, pasted, starters, found, selected } = shown
  const shared = {
    query,
    selectedId: selected?.entryId,
    isInstalled: (entry: CatalogEntry) => installedId(entry) !== undefined,
    onSelect: ({ entryId }: CatalogEntry) => setCatalogView({ selectedId: entryId }),
    onOpen,
  }
  return (
    <section className="results" aria-label="Results" tabIndex={0} onKeyDown={moveBetweenCards}>
      {pasted.length > 0 && (
        <section aria-labelledby="pasted-servers">
          <div className="section-head">
            <h2 id="pasted-servers">Pasted</h2>
            <span className="count">{pasted.length}</span>
          </div>
          <EntryList {...shared} label="Pasted" entries={pasted} />
        </section>
      )}
      <StarterSection
        request={request}
        query={query}
        count={starters.length}
        list={<EntryList {...shared} label="Starter servers" entries={starters} />}
      />
      <RegistryResults
        search={registry.search}
        query={query}
        entries={found}
        onRetry={registry.retry}
        list={<EntryList {...shared} label="From the registry" entries={found} />}
      />
    </section>
  )
}

/** The catalog: starter entries, live registry search, and one entry in full. */
export function CatalogPage(): ReactElement {
  const catalogView = useCatalogView()
  const { query } = catalogView
  const shown = useShownEntries()
  const { starters, found, selected } = shown
  const [pasting, setPasting] = useState(false)
  const [, navigate] = useLocation()
  const installedId = useInstalledId()
  useFindRunners()
  const machine = useMachine()
  function open({ entryId, server }: CatalogEntry): void {
    const view = viewToSetUp(viewsOf(server, machine), chosenOffer(catalogView, entryId))
    if (view && entryObstacle(view) === undefined) navigate(setupPath(entryId, view.ref))
  }
  return (
    <Page
      layout="columns"
      title="Catalog"
      meta={
        <SearchField
          label="Search the catalog"
          placeholder="Search servers"
          value={query}
          onChange={(next) => setCatalogView({ query: next, selectedId: null })}
          meta={query.trim() === '' ? undefined : `${starters.length + found.length} shown`}
          onEnter={() => selected && open(selected)}
        />
      }
      actions={
        <>
          <ButtonLink icon={PackageOpen} href="/bundle">
            Open bundle
          </ButtonLink>
          <AddMenu onPaste={() => setPasting(true)} />
        </>
      }
    >
      <div className="catalog no-facets">
        <Results shown={shown} query={query} installedId={installedId} onOpen={open} />
        {selected ? (
          <EntryDetail
            key={selected.entryId}
            entry={selected}
            installedId={installedId(selected)}
          />
        ) : (
          <aside className="detail" aria-label="No server selected">
            <p className="detail-body faint">What a server runs and asks for is shown here.</p>
          </aside>
        )}
      </div>
      {pasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onRead={(entry) => setCatalogView({ query: '', selectedId: entry.entryId })}
        />
      )}
    </Page>
  )
}
