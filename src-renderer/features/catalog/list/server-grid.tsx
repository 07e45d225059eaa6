import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { CSSProperties, KeyboardEvent, ReactElement } from 'react'
import { memo, useCallback, useEffect, useRef } from 'react'

import type { CatalogPage, ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { listedKey } from '../../../../src-shared/domain/catalog/listed-ref'
import { Button } from '../../../ui/controls/button'
import { remInPx, useVirtualList } from '../../../ui/list/virtual-list'
import { lastScrolled, noteScrolled, useIsChosen } from '../filters/catalog-view-store'
import { olderPage, PAGE_SIZE, pageQuery, type SearchQuery } from './found-servers'
import { cardPlace, useGridLayout } from './grid-layout'
import { ServerCard } from './server-card'

type ServerGridProps = {
  readonly asked: SearchQuery
  /** The first of the list. */
  readonly page: CatalogPage
  readonly selectedKey: string | undefined
  readonly isInstalled: (server: ListedServer) => boolean
  readonly onSelect: (server: ListedServer) => void
  readonly onOpen: (server: ListedServer) => void
}

/** Leads the keyboard into the list: to its selected card, or to the first that is drawn where that one is far away. */
export function enterList(event: KeyboardEvent): void {
  event.preventDefault()
  const card = selectedCard() ?? document.querySelector<HTMLElement>('.card-hit')
  card?.focus()
}

function selectedCard(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.card-hit[aria-current]')
}

/** On the way back to a card that was chosen, the keyboard goes on there, unless it is somewhere else already. */
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

/** The server at a place, or how to ask again for those that could not be read there. */
type Found = {
  readonly server: ListedServer | undefined
  readonly askAgain: (() => void) | undefined
}

/** The servers at some places as far as they are there; further pages are asked for as they come into view. */
function useServers(asked: SearchQuery, first: CatalogPage, indexes: readonly number[]) {
  const queries = useQueryClient()
  const placeOf = (index: number): number => Math.floor(index / PAGE_SIZE)
  const places = [...new Set(indexes.map(placeOf))].filter((place) => place > 0)
  const answers = useQueries({ queries: places.map((place) => pageQuery(asked, place)) })
  const pages = places.map((place, at) => answers[at]?.data ?? olderPage(queries, asked, place))
  const askAgain = (): void => {
    for (const { error, refetch } of answers) if (error) void refetch()
  }
  return (index: number): Found => {
    const at = places.indexOf(placeOf(index))
    const page = index < PAGE_SIZE ? first : pages[at]
    const server = page?.servers[index % PAGE_SIZE]
    return { server, askAgain: answers[at]?.error ? askAgain : undefined }
  }
}

/** What stands in the place of a server until its page is there; where that failed, the way to ask for it again. */
function Gap(props: {
  readonly index: number
  readonly style: CSSProperties
  readonly askAgain: Found['askAgain']
}): ReactElement {
  const { index, style, askAgain } = props
  return (
    <li className="card box pad-3 subtle placed" style={style} aria-hidden={!askAgain}>
      {askAgain && (
        // Not a stop of the Tab key: arrows lead here as to the cards beside it.
        <span>
          <Button size="small" data-index={index} tabIndex={-1} onClick={askAgain}>
            Try again
          </Button>
        </span>
      )}
    </li>
  )
}

/** The cards in view of a list of any length; arrows move between them. */
export const ServerGrid = memo(function ServerGrid(props: ServerGridProps): ReactElement {
  const { asked, page, selectedKey, isInstalled, onSelect, onOpen } = props
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
  }, [asked.list])
  const foundAt = useServers(
    asked,
    page,
    items.map(({ index }) => index),
  )
  const cards = items.map((place) => ({ ...place, ...foundAt(place.index) }))
  const isSelected = ({ server }: Found): boolean =>
    server !== undefined && listedKey(server) === selectedKey
  // One stop of the Tab key: the selected card, or the first one where that is not drawn.
  const stop = (cards.find(isSelected) ?? cards.find(({ server }) => server))?.index
  return (
    <div
      ref={region}
      className="results-scroll scroll fill"
      tabIndex={0}
      role="region"
      aria-label="Results"
      onScroll={(event) => noteScrolled(event.currentTarget.scrollTop)}
    >
      <div ref={frame}>
        <ul
          {...holder}
          className={columns === 1 ? 'cards anchor is-flat' : 'cards anchor'}
          aria-label="Servers"
          style={{ height: Math.max(0, holder.style.height - gap) }}
        >
          {cards.map((card) => {
            const { index, top, server, askAgain } = card
            return server ? (
              <ServerCard
                key={index}
                {...{ server, index, total, top, layout, onSelect, onOpen }}
                query={asked.question.text}
                isSelected={isSelected(card)}
                isStop={index === stop}
                isInstalled={isInstalled(server)}
              />
            ) : (
              <Gap key={index} {...{ index, askAgain }} style={cardPlace(index, top, layout)} />
            )
          })}
        </ul>
      </div>
    </div>
  )
})
