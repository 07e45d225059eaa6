import './catalog.css'

import { AppWindow, ClipboardPaste, PackageOpen, PencilLine, Plus } from 'lucide-react'
import { memo, type ReactElement, useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

import type { ListedServer } from '../../../src-shared/domain/catalog/catalog-query'
import {
  listedKey,
  type ListedRef,
  OFFICIAL_SOURCE,
  PASTED_SOURCE,
  STARTER_SOURCE,
} from '../../../src-shared/domain/catalog/listed-ref'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { hostOf } from '../../components/status/registry-messages'
import { call, toErrorShape } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { useCatalog, useServers } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction } from '../../ui/controls/menu'
import { SearchField } from '../../ui/controls/search-field'
import { FilterGroups } from '../../ui/filters/filter-groups'
import { Banner, Page, Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { useMediaQuery } from '../../ui/layout/use-media-query'
import { enterList } from '../../ui/list/virtual-list'
import { showToast } from '../../ui/overlays/toast'
import { formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { CatalogBanner, CatalogFreshness } from './catalog-line'
import { setUpOf, useFindRunners, useMachine } from './entry/entry-facts'
import {
  changeList,
  type FilterChoices,
  NO_CHOICES,
  presentOffer,
  setCatalogView,
  useCatalogView,
  useIsChosen,
} from './filters/catalog-view-store'
import { type FacetGroup, facetGroups } from './filters/facet-groups'
import { ServerGrid } from './list/server-grid'
import { NO_RESULTS, PAGE_SIZE, type SearchResults, useServerSearch } from './list/server-search'
import { PasteDialog } from './paste/paste-dialog'
import { NothingFound, ResultsHeader } from './results-header'
import { ServerDetail } from './server-detail'

function changeChoices(choices: FilterChoices): void {
  changeList({ choices })
}

/** Delay before filters and detail follow a changed list, in ms. Longer than the time between two keys of a fast typist. */
const PANEL_DELAY_MS = 120
const NO_GROUPS: readonly FacetGroup[] = []

function useGroups(results: SearchResults): FacetGroup[] {
  const choices = useCatalogView('choices')
  const sources = useCatalog()?.sources
  const facets = results.page?.facets
  return useMemo(() => {
    const followed = (sources ?? []).filter(({ enabled }) => enabled)
    const named = followed.map(({ sourceId, baseUrl }) => ({ sourceId, label: hostOf(baseUrl) }))
    return facetGroups(choices, facets, named)
  }, [choices, facets, sources])
}

type ListProps = ReturnType<typeof useServerSearch> & {
  readonly selected: ListedServer | undefined
  readonly installed: ReturnType<typeof installedIds>
  readonly onOpen: (server: ListedServer) => void
}

const List = memo(function List(props: ListProps): ReactElement {
  const { found, retry, selected, installed, onOpen } = props
  const choices = useCatalogView('choices')
  const { search: query, page, failure } = found
  const problem = failure && toErrorShape(failure)
  if (problem && !page)
    return <ProblemState title="Can’t load the catalog" problem={problem} onRetry={retry} />
  if (!page) return <Skeleton label="Loading catalog" rows={6} />
  if (page.total === 0)
    return (
      <NothingFound
        text={query.query.text}
        choices={choices}
        onClear={() => changeChoices(NO_CHOICES)}
      />
    )
  return (
    <>
      {problem && (
        <div className="mb-3" role="alert">
          <Banner
            severity="warn"
            title={problem.message}
            action={
              <Button size="small" onClick={retry}>
                Try again
              </Button>
            }
          >
            Showing earlier results.
          </Banner>
        </div>
      )}
      <ServerGrid
        {...{ search: query, page, installed, onOpen }}
        selectedKey={selected && listedKey(selected)}
        onSelect={select}
      />
    </>
  )
})

function select(selected: ListedServer): void {
  setCatalogView({ selected })
}

/** Returns the server in the detail: the selected one while it is listed, else the first. */
function useSelected({ page }: SearchResults): ListedServer | undefined {
  const selected = useCatalogView('selected')
  return useMemo(() => {
    const { servers, total } = page ?? { servers: [], total: 0 }
    const key = selected && listedKey(selected)
    // A server beyond the first page is stored with the selection.
    const further = selected && 'version' in selected && total > PAGE_SIZE ? selected : undefined
    return servers.find((server) => listedKey(server) === key) ?? further ?? servers[0]
  }, [page, selected])
}

/** Opens the form of a server's best or chosen offer; shows why if it cannot be set up. */
function useOpen(): (server: ListedServer) => void {
  const machine = useMachine()
  const [, navigate] = useLocation()
  return useCallback(
    ({ sourceId, name }) => {
      call('catalog.detail', { sourceId, name }).then(({ entry }) => {
        const { path, obstacle } = setUpOf(entry, machine, presentOffer(entry.entryId))
        if (obstacle === undefined) navigate(path)
        else showToast({ message: `Can’t set up ${visibleText(name)}. ${obstacle}` })
      }, showFailure)
    },
    [machine, navigate],
  )
}

function prepareSearch(): void {
  call('catalog.prepareSearch', {}).catch(showFailure)
}

function Search(props: {
  readonly found: SearchResults
  readonly onEnter: () => void
}): ReactElement {
  const { found: results, onEnter } = props
  const query = useCatalogView('query')
  // The total is unknown if the query failed.
  const total = results.failure ? undefined : results.page?.total
  return (
    <SearchField
      label="Search catalog"
      placeholder="Search servers"
      value={query}
      onChange={(next) => changeList({ query: next })}
      onFocus={prepareSearch}
      meta={query.trim() === '' || total === undefined ? undefined : `${formatCount(total)} found`}
      onEnter={onEnter}
      onArrowDown={enterList}
    />
  )
}

/** The columns below the search; memoized, because a key press changes nothing before its result arrives. */
const Columns = memo(function Columns(props: {
  readonly listed: ReturnType<typeof useServerSearch>
  readonly selected: ListedServer | undefined
  readonly onOpen: (server: ListedServer) => void
}): ReactElement {
  const { listed, selected, onOpen } = props
  const { found: results } = listed
  const sort = useCatalogView('sort')
  const servers = useServers()
  const installed = useMemo(() => installedIds(servers), [servers])
  // Filters and detail render after the list is painted.
  const panelResults = useAfterPaint(results, PANEL_DELAY_MS)
  const groups = useGroups(panelResults)
  const shown = useAfterPaint(selected, useIsChosen() ? 0 : PANEL_DELAY_MS)
  const isNarrow = useMediaQuery('(width < 80rem)')
  return (
    <div className="catalog grid min-h-0 flex-1">
      {isNarrow ? null : (
        <aside
          className="facets scroll flex flex-col gap-5 px-5 py-3"
          aria-label="Filters"
          tabIndex={0}
        >
          <FilterGroups
            groups={panelResults === NO_RESULTS ? NO_GROUPS : groups}
            onChange={changeChoices}
          />
        </aside>
      )}
      <section
        className="results flex min-h-0 min-w-0 flex-col px-4 pt-3"
        aria-label="Catalog servers"
      >
        <h2 className="sr-only">Results</h2>
        <CatalogBanner />
        <ResultsHeader {...{ found: results, groups, sort, isNarrow }} onChange={changeChoices} />
        <List {...listed} selected={selected} installed={installed} onOpen={onOpen} />
      </section>
      {shown ? (
        <ServerDetail key={listedKey(shown)} listed={shown} installedId={installed(shown)} />
      ) : (
        <aside className="detail aside flex flex-col bg-subtle" aria-label="No server selected">
          {selected ? null : (
            <p className="detail-body scroll flex min-h-0 flex-1 flex-col gap-5 p-5 text-faint">
              Select a server to see its commands and settings.
            </p>
          )}
        </aside>
      )}
    </div>
  )
})

/** Constant across key presses. */
const ACTIONS = (
  <>
    <CatalogFreshness />
    <AddMenu />
  </>
)

/** The catalog: a search over all registry entries, and one server in detail. */
export function CatalogPage(): ReactElement {
  const listed = useServerSearch()
  const selected = useSelected(listed.found)
  const open = useOpen()
  useFindRunners()
  useServerFromAddress()
  return (
    <Page
      layout="columns"
      title="Catalog"
      meta={<Search found={listed.found} onEnter={() => selected && open(selected)} />}
      actions={ACTIONS}
    >
      <Columns listed={listed} selected={selected} onOpen={open} />
    </Page>
  )
}

/** Shows the server from the address (`?find=TEXT&source=ID&name=NAME`) once; later navigation is free. */
function useServerFromAddress(): void {
  const search = useSearch()
  const [, navigate] = useLocation()
  useEffect(() => {
    const params = new URLSearchParams(search)
    const query = params.get('find')
    const sourceId = params.get('source')
    const name = params.get('name')
    if (query === null || sourceId === null || name === null) return
    changeList({ query, choices: NO_CHOICES })
    setCatalogView({ selected: { sourceId, name } })
    navigate('/catalog', { replace: true })
  }, [search, navigate])
}

/** Returns a value once the window has painted its change and `delayMs` have passed. Secondary content then doesn't delay the paint. */
function useAfterPaint<T>(value: T, delayMs = 0): T {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // A timer that is set in an animation frame fires after that frame's paint.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setShown(() => value), delayMs)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [value, delayMs])
  return shown
}

type Installed = Pick<ServerView, 'installationId' | 'entryName' | 'sourceId'>

/** Returns a lookup for the newest installation of a listed server. Another registry may use the same name for another server. */
export function installedIds(
  servers: readonly Installed[],
): (listed: ListedRef) => string | undefined {
  const ids = new Map(
    servers.flatMap(({ sourceId, entryName: name, installationId }) =>
      sourceId === undefined ? [] : [[listedKey({ sourceId, name }), installationId] as const],
    ),
  )
  return ({ sourceId, name }) => ids.get(listedKey({ sourceId: registryOf(sourceId), name }))
}

/** Returns the source that identifies a server: the official registry for starter and pasted servers, else the server's own. */
function registryOf(sourceId: string): string {
  return sourceId === STARTER_SOURCE || sourceId === PASTED_SOURCE ? OFFICIAL_SOURCE : sourceId
}

/** Menu of the ways to add an unlisted server; the address `?paste` opens the paste dialog. */
function AddMenu(): ReactElement {
  const [, navigate] = useLocation()
  const search = useSearch()
  const [pasting, setPasting] = useState(() => new URLSearchParams(search).has('paste'))
  return (
    <>
      <Menu label="Add your own" trigger={<Button icon={Plus}>Add your own</Button>}>
        <MenuAction icon={AppWindow} onSelect={() => navigate('/import')}>
          From your apps
        </MenuAction>
        <MenuAction icon={ClipboardPaste} onSelect={() => setPasting(true)}>
          Paste configuration
        </MenuAction>
        <MenuAction icon={PencilLine} onSelect={() => navigate('/custom-server')}>
          Enter manually
        </MenuAction>
        <MenuAction icon={PackageOpen} onSelect={() => navigate('/bundle')}>
          Open bundle
        </MenuAction>
      </Menu>
      {pasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onRead={({ server: { name } }) => {
            changeList({ query: '', choices: NO_CHOICES, sort: 'relevance' })
            setCatalogView({ selected: { sourceId: PASTED_SOURCE, name } })
          }}
        />
      )}
    </>
  )
}
