import './catalog.css'

import { FileJson } from 'lucide-react'
import type { ReactElement } from 'react'
import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { useRequest } from '../../ipc/use-request'
import { useServers } from '../../stores/app-store'
import { BlankState } from '../../ui/blank-state'
import { Button } from '../../ui/button'
import { Page } from '../../ui/page'
import { SearchField } from '../../ui/search-field'
import { Skeleton } from '../../ui/skeleton'
import { setCatalogView, useCatalogView } from './catalog-view-store'
import { EntryDetail, setupPath } from './entry-detail'
import { entryObstacle, filterEntries, preferredPackage } from './entry-facts'
import { EntryList, moveBetweenCards } from './entry-list'
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

/** The catalog: starter entries, live registry search, and one entry in full. */
export function CatalogPage(): ReactElement {
  const { query, selectedId } = useCatalogView()
  const { loaded, retry } = useRequest('catalog.list', {})
  const { search, retry: searchAgain } = useRegistrySearch(query)
  const [pasting, setPasting] = useState(false)
  const [, navigate] = useLocation()
  const installedId = useInstalledId()

  const listed = loaded.kind === 'ready' ? loaded.value : NONE
  const starters = useMemo(() => filterEntries(listed, query), [listed, query])
  const found = useMemo(
    () => (search.kind === 'found' ? withoutListed(search.entries, listed) : []),
    [search, listed],
  )
  const shown = [...starters, ...found]
  const selected = shown.find(({ entryId }) => entryId === selectedId) ?? shown[0]
  const shared = {
    query,
    selectedId: selected?.entryId,
    isInstalled: (entry: CatalogEntry) => installedId(entry) !== undefined,
    onSelect: ({ entryId }: CatalogEntry) => setCatalogView({ selectedId: entryId }),
    onOpen: ({ entryId, server }: CatalogEntry) => {
      if (entryObstacle(server) === undefined)
        navigate(setupPath(entryId, preferredPackage(server)))
    },
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
          meta={query.trim() === '' ? undefined : `${shown.length} shown`}
          onEnter={() => selected && shared.onOpen(selected)}
        />
      }
      actions={
        <Button icon={FileJson} onClick={() => setPasting(true)}>
          Paste server.json
        </Button>
      }
    >
      <div className="catalog no-facets" data-empty={selected === undefined || undefined}>
        <section className="results" aria-label="Results" tabIndex={0} onKeyDown={moveBetweenCards}>
          <div className="section-head">
            <h2>Starter servers</h2>
            <span className="count">{loaded.kind === 'ready' ? starters.length : ''}</span>
          </div>
          {loaded.kind === 'loading' ? <Skeleton label="Reading the catalog" rows={4} /> : null}
          {loaded.kind === 'failed' ? (
            <BlankState
              art="cut"
              title={loaded.problem.message}
              message={loaded.problem.hint ?? ''}
              action={<Button onClick={retry}>Try again</Button>}
            />
          ) : null}
          {loaded.kind === 'ready' && starters.length === 0 ? <NoStarter query={query} /> : null}
          {starters.length > 0 ? (
            <EntryList {...shared} label="Starter servers" entries={starters} />
          ) : null}
          <RegistryResults
            search={search}
            query={query}
            entries={found}
            onRetry={searchAgain}
            list={<EntryList {...shared} label="From the registry" entries={found} />}
          />
        </section>
        {selected === undefined ? null : (
          <EntryDetail
            key={selected.entryId}
            entry={selected}
            installedId={installedId(selected)}
          />
        )}
      </div>
      {pasting ? (
        <PasteDialog
          open
          onOpenChange={setPasting}
          onRead={(entry) => setCatalogView({ query: '', selectedId: entry.entryId })}
        />
      ) : null}
    </Page>
  )
}
