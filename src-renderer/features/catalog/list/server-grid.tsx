import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { KeyboardEvent, ReactElement } from 'react'
import { memo, useEffect, useRef } from 'react'

import type { CatalogPage, ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { listedKey } from '../../../../src-shared/domain/catalog/listed-ref'
import { noteScrolled, useIsChosen } from '../filters/catalog-view-store'
import { type Asked, olderPage, PAGE_SIZE, pageQuery } from './found-servers'
import { cardPlace } from './grid-layout'
import { ServerCard } from './server-card'
import { useCardWindow } from './use-card-window'

type ServerGridProps = {
  readonly asked: Asked
  /** The first of the list. */
  readonly page: CatalogPage
  readonly selectedKey: string | undefined
  readonly isInstalled: (server: ListedServer) => boolean
  readonly onSelect: (server: ListedServer) => void
  readonly onOpen: (server: ListedServer) => void
}

/** Leads the keyboard into the list: to its selected card, which is the first where none was chosen. */
export function enterList(event: KeyboardEvent): void {
  event.preventDefault()
  selectedCard()?.focus({ preventScroll: true })
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

/** The places of the cards from one row to another. */
function placesOf(
  rows: readonly { readonly index: number; readonly start: number }[],
  columns: number,
  total: number,
) {
  return rows.flatMap(({ index: row, start }) =>
    Array.from({ length: Math.min(columns, total - row * columns) }, (_, column) => ({
      index: row * columns + column,
      top: start,
    })),
  )
}

/** The servers from one place to another as far as they are there; further pages are asked for as they come into view. */
function useServers(asked: Asked, first: CatalogPage, from: number, to: number) {
  const queries = useQueryClient()
  const placeOf = (index: number): number => Math.floor(index / PAGE_SIZE)
  const begin = Math.max(1, placeOf(from))
  const places = Array.from({ length: placeOf(to) + 1 - begin }, (_, index) => begin + index)
  const answers = useQueries({ queries: places.map((place) => pageQuery(asked, place)) })
  const pages = places.map((place, at) => answers[at]?.data ?? olderPage(queries, asked, place))
  return (index: number): ListedServer | undefined => {
    const page = index < PAGE_SIZE ? first : pages[placeOf(index) - begin]
    return page?.servers[index % PAGE_SIZE]
  }
}

/** The cards in view of a list of any length; arrows move between them. */
export const ServerGrid = memo(function ServerGrid(props: ServerGridProps): ReactElement {
  const { asked, page, selectedKey, isInstalled, onSelect, onOpen } = props
  const region = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const { total } = page
  useFocusReturn(useIsChosen())
  const { layout, virtualizer, press } = useCardWindow(region, list, { total, listId: asked.list })
  const { columns, gap } = layout
  const places = placesOf(virtualizer.getVirtualItems(), columns, total)
  const from = places[0]?.index ?? 0
  const to = places.at(-1)?.index ?? 0
  const serverAt = useServers(asked, page, from, to)
  return (
    <div
      ref={region}
      className="results-scroll scroll fill"
      tabIndex={0}
      role="region"
      aria-label="Results"
      onKeyDown={press}
      onScroll={(event) => noteScrolled(event.currentTarget.scrollTop)}
    >
      <ul
        ref={list}
        className={columns === 1 ? 'cards anchor is-flat' : 'cards anchor'}
        aria-label="Servers"
        style={{ height: Math.max(0, virtualizer.getTotalSize() - gap) }}
      >
        {places.map(({ index, top }) => {
          const server = serverAt(index)
          if (!server)
            return (
              <li
                key={index}
                className="card box pad-3 subtle placed is-waiting"
                style={cardPlace(index, top, layout)}
                aria-hidden
              />
            )
          return (
            <ServerCard
              key={index}
              {...{ server, index, total, top, layout, onSelect, onOpen }}
              query={asked.question.text}
              isSelected={listedKey(server) === selectedKey}
              isInstalled={isInstalled(server)}
            />
          )
        })}
      </ul>
    </div>
  )
})
