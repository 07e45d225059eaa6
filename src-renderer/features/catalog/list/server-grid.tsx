import { useQueries, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { BadgeCheck, Check, Globe, KeyRound, Package as PackageIcon } from 'lucide-react'
import {
  type CSSProperties,
  memo,
  type ReactElement,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createStore } from 'zustand/vanilla'

import type { CatalogPage, ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { listedKey, PASTED_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import { Button } from '../../../ui/controls/button'
import { ScrollRegion } from '../../../ui/layout/page'
import { remInPx, useVirtualList } from '../../../ui/list/virtual-list'
import { Tag } from '../../../ui/marks/tag'
import { formatDay, formatFull } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { entryTitle } from '../entry/entry-facts'
import { lastScrolled, setCatalogView, useIsChosen } from '../filters/catalog-view-store'
import { kindLabel } from '../filters/facet-groups'
import { ServerIcon } from './server-icon'
import { olderPage, PAGE_SIZE, pageQuery, type SearchQuery } from './server-search'

type GridLayout = {
  readonly columns: number
  readonly cardHeight: number
  readonly gap: number
}

/** Sizes in rem: a card in a multi-column grid is tall; a card in a single column is flat, with tags next to its name. */
const MIN_WIDTH = 15.5
const TALL = 8.25
const FLAT = 6.75
const GAP = 0.5

/** Computes the grid for a list of this width; `rem` is the root's font size in px. */
export function layoutGrid(width: number, rem: number): GridLayout {
  const gap = GAP * rem
  const columns = Math.max(1, Math.floor((width + gap) / (MIN_WIDTH * rem + gap)))
  return { columns, cardHeight: (columns === 1 ? FLAT : TALL) * rem, gap }
}

/** The last layout, which the first rendering after a return uses. */
const lastLayout = createStore<{ readonly layout?: GridLayout }>(() => ({}))

/** Returns the layout for the width of the element with the ref. */
function useGridLayout(): readonly [
  RefObject<HTMLDivElement | null>,
  GridLayout & { readonly isKnown: boolean },
] {
  const frame = useRef<HTMLDivElement>(null)
  const [layout, setLayout] = useState(() => lastLayout.getState().layout)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = (): void => {
      const next = layoutGrid(element.clientWidth, remInPx())
      lastLayout.setState({ layout: next })
      setLayout((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [
    frame,
    useMemo(
      () => ({ ...(layout ?? layoutGrid(480, 16)), isKnown: layout !== undefined }),
      [layout],
    ),
  ]
}

/** Returns the position of a card by its index; `top` is the top of its row, in px. */
function cardPosition(
  index: number,
  top: number,
  { columns, gap, cardHeight }: GridLayout,
): CSSProperties {
  const column = index % columns
  const width = `(100% - ${(columns - 1) * gap}px) / ${columns}`
  return {
    top,
    height: cardHeight,
    width: `calc(${width})`,
    left: `calc(${column} * (${width} + ${gap}px))`,
  }
}

function selectedCard(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#main [data-index][aria-current]')
}

/** Returns the focus to the selected card after a return to the list, unless another element has it. */
function useFocusReturn(isChosen: boolean): void {
  const isDue = useRef(isChosen)
  useEffect(() => {
    if (!isDue.current || selectedCard() === null) return
    isDue.current = false
    const { activeElement } = document
    if (activeElement === document.body || activeElement?.id === 'main')
      selectedCard()?.focus({ preventScroll: true })
  })
}

/** The server at an index, or a retry if its page failed to load. */
type LoadedCard = {
  readonly server: ListedServer | undefined
  readonly askAgain: (() => void) | undefined
}

/** Returns a lookup for the loaded servers by index; further pages load as they scroll into view. */
function useServers(query: SearchQuery, first: CatalogPage, indexes: readonly number[]) {
  const queries = useQueryClient()
  const pageOf = (index: number): number => Math.floor(index / PAGE_SIZE)
  const pageIndexes = [...new Set(indexes.map(pageOf))].filter((place) => place > 0)
  const results = useQueries({ queries: pageIndexes.map((place) => pageQuery(query, place)) })
  const pages = pageIndexes.map(
    (place, at) => results[at]?.data ?? olderPage(queries, query, place),
  )
  const askAgain = (): void => {
    for (const { error, refetch } of results) if (error) void refetch()
  }
  return (index: number): LoadedCard => {
    const at = pageIndexes.indexOf(pageOf(index))
    const page = index < PAGE_SIZE ? first : pages[at]
    const server = page?.servers[index % PAGE_SIZE]
    return { server, askAgain: results[at]?.error ? askAgain : undefined }
  }
}

/** The visible cards of a list of any length, with arrow key navigation. */
export const ServerGrid = memo(function ServerGrid(props: {
  readonly search: SearchQuery
  readonly page: CatalogPage
  readonly selectedKey: string | undefined
  /** Returns the installation of a server; undefined if there is none. */
  readonly installed: (server: ListedServer) => string | undefined
  readonly onSelect: (server: ListedServer) => void
  readonly onOpen: (server: ListedServer) => void
}): ReactElement {
  const { search, page, selectedKey, installed, onSelect, onOpen } = props
  const region = useRef<HTMLDivElement>(null)
  const { total } = page
  useFocusReturn(useIsChosen())
  const [frame, layout] = useGridLayout()
  const { columns, gap, cardHeight } = layout
  const { items, holder } = useVirtualList({
    count: layout.isKnown ? total : 0,
    keyOf: useCallback((index: number) => `${cardHeight} ${index}`, [cardHeight]),
    sizeOf: () => (cardHeight + gap) / remInPx(),
    columns,
    overscan: 1,
    initialOffset: lastScrolled,
  })
  useEffect(() => {
    region.current?.scrollTo({ top: lastScrolled() })
  }, [search.list])
  const loadedAt = useServers(
    search,
    page,
    items.map(({ index }) => index),
  )
  const cards = items.map((item) => ({ ...item, ...loadedAt(item.index) }))
  const isSelected = ({ server }: LoadedCard): boolean =>
    server !== undefined && listedKey(server) === selectedKey
  // The only tab stop: the selected card, or the first one if the selected one is not rendered.
  const stop = (cards.find(isSelected) ?? cards.find(({ server }) => server))?.index
  return (
    <ScrollRegion
      ref={region}
      className="results-scroll -mx-4 min-h-0 flex-1 px-4 pb-4"
      label="Results"
      onScroll={(event) => setCatalogView({ scrolled: event.currentTarget.scrollTop })}
    >
      <div ref={frame}>
        <ul
          {...holder}
          className={columns === 1 ? 'cards is-flat relative' : 'cards relative'}
          aria-label="Servers"
          style={{ height: Math.max(0, holder.style.height - gap) }}
        >
          {cards.map((card) => {
            const { index, top, server, askAgain: retry } = card
            return server ? (
              <ServerCard
                key={index}
                {...{ server, index, total, top, layout, onSelect, onOpen }}
                query={search.query.text}
                isSelected={isSelected(card)}
                isStop={index === stop}
                isInstalled={installed(server) !== undefined}
              />
            ) : (
              <li
                key={index}
                className="card absolute inset-x-0 top-0 rounded-lg border border-line bg-subtle p-3"
                style={cardPosition(index, top, layout)}
                aria-hidden={!retry}
              >
                {retry && (
                  // No tab stop: arrow keys reach the button like the cards around it.
                  <span>
                    <Button size="small" data-index={index} tabIndex={-1} onClick={retry}>
                      Try again
                    </Button>
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </ScrollRegion>
  )
})

const MAX_MARKS = 20

function escaped(word: string): string {
  return word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}

/** Plain text with every occurrence of the search terms highlighted. */
export function Highlight(props: { readonly text: string; readonly query: string }): ReactElement {
  const { text, query } = props
  const words = query.split(/\s+/).filter(Boolean).map(escaped)
  if (words.length === 0) return <>{text}</>
  // Odd indexes are matches, because the pattern is one capture group.
  const parts = text.split(new RegExp(`(${words.join('|')})`, 'giu'))
  const rest = parts.splice(MAX_MARKS * 2).join('')
  return (
    <>
      {parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
      {rest}
    </>
  )
}

function kindTag({ kinds: [first, ...more] }: ListedServer): ReactElement | false {
  if (first === undefined) return false
  const label = more.length === 0 ? kindLabel(first) : `${kindLabel(first)} +${more.length}`
  return (
    <Tag key="kind" icon={first === 'remote' ? Globe : PackageIcon}>
      {label}
    </Tag>
  )
}

/** Returns at most three tags: the type, then the most important of the others. */
function tagsOf(server: ListedServer, isInstalled: boolean): readonly (ReactElement | false)[] {
  const { status, namespace, isVerified, asksForSecrets, sourceId } = server
  const isDomain = isVerified && namespace === 'domain'
  return [
    kindTag(server),
    sourceId === PASTED_SOURCE && <Tag key="pasted">Pasted</Tag>,
    status === 'deprecated' && (
      <Tag key="deprecated" tone="warn">
        Deprecated
      </Tag>
    ),
    isInstalled && (
      <Tag key="installed" tone="accent" icon={Check}>
        Installed
      </Tag>
    ),
    isDomain && (
      <Tag key="verified" tone="ready" icon={BadgeCheck}>
        Verified
      </Tag>
    ),
    asksForSecrets && (
      <Tag key="secrets" icon={KeyRound}>
        Secrets
      </Tag>
    ),
  ]
    .filter((tag) => tag !== false)
    .slice(0, 3)
}

/** One server of the list. A click anywhere selects it, Enter sets it up. */
export const ServerCard = memo(function ServerCard(props: {
  readonly server: ListedServer
  /** Index in the list, and the list's length. */
  readonly index: number
  readonly total: number
  /** Top of the row, in px. */
  readonly top: number
  readonly layout: GridLayout
  readonly query: string
  readonly isSelected: boolean
  /** Whether the card is the list's tab stop. */
  readonly isStop: boolean
  readonly isInstalled: boolean
  readonly onSelect: (server: ListedServer) => void
  readonly onOpen: (server: ListedServer) => void
}): ReactElement {
  const { server, index, total, top, layout, query, onSelect, onOpen } = props
  const { isSelected, isStop, isInstalled } = props
  const title = entryTitle(server)
  const at = server.updatedAt ?? server.publishedAt
  return (
    <li
      className={clsx(
        'card absolute inset-x-0 top-0 grid gap-2 gap-y-1 overflow-hidden rounded-lg border border-line p-3',
        isSelected ? 'is-selected bg-accent-soft' : 'bg-surface hover:bg-hover',
      )}
      style={cardPosition(index, top, layout)}
      aria-setsize={total}
      aria-posinset={index + 1}
    >
      <ServerIcon server={server} title={title} />
      <div className="truncate">
        <h3>
          <button
            type="button"
            className="card-hit bare covers block w-full truncate text-foreground"
            data-index={index}
            tabIndex={isStop ? 0 : -1}
            aria-current={isSelected || undefined}
            onClick={() => onSelect(server)}
            onFocus={() => onSelect(server)}
            onDoubleClick={() => onOpen(server)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              onOpen(server)
            }}
          >
            <Highlight text={title} query={query} />
          </button>
        </h3>
        <p
          className="truncate text-micro text-faint"
          title={visibleText(server.name)}
          data-testid="server-name"
        >
          {visibleText(server.publisher)}
        </p>
      </div>
      <p className="about line-clamp-2 wrap-anywhere text-muted">
        <Highlight text={visibleText(server.description)} query={query} />
      </p>
      <div className="tags flex gap-1 overflow-hidden">
        {tagsOf(server, isInstalled)}
        {at !== undefined && (
          <time
            className="ms-auto text-micro whitespace-nowrap text-faint tabular-nums"
            dateTime={new Date(at).toISOString()}
            title={`Updated ${formatFull(at)}`}
          >
            {formatDay(at)}
          </time>
        )}
      </div>
    </li>
  )
})
