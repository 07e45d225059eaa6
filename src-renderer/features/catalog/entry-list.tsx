import type { KeyboardEvent, ReactElement } from 'react'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { EntryCard } from './entry-card'

type EntryListProps = {
  readonly label: string
  readonly entries: readonly CatalogEntry[]
  readonly query: string
  readonly selectedId: string | undefined
  readonly isInstalled: (entry: CatalogEntry) => boolean
  readonly onSelect: (entry: CatalogEntry) => void
  readonly onOpen: (entry: CatalogEntry) => void
}

/** Cards of one section. */
export function EntryList(props: EntryListProps): ReactElement {
  const { entries, query, selectedId, isInstalled, onSelect, onOpen } = props
  return (
    <ul className="cards" aria-label={props.label}>
      {entries.map((entry) => (
        <EntryCard
          key={entry.entryId}
          entry={entry}
          query={query}
          selected={entry.entryId === selectedId}
          installed={isInstalled(entry)}
          onSelect={() => onSelect(entry)}
          onOpen={() => onOpen(entry)}
        />
      ))}
    </ul>
  )
}

/** The card that an arrow leads to: its neighbour, or the nearest one a row up or down. */
function neighbour(
  cards: readonly HTMLElement[],
  from: HTMLElement,
  key: string,
): HTMLElement | undefined {
  const index = cards.indexOf(from)
  if (key === 'ArrowRight') return cards[index + 1]
  if (key === 'ArrowLeft') return cards[index - 1]
  const here = from.getBoundingClientRect()
  const rows = cards.filter((card) => {
    const { top } = card.getBoundingClientRect()
    return key === 'ArrowDown' ? top > here.top + 1 : top < here.top - 1
  })
  const ordered = key === 'ArrowDown' ? rows : rows.toReversed()
  const row = ordered[0]?.getBoundingClientRect().top
  return ordered
    .filter((card) => card.getBoundingClientRect().top === row)
    .toSorted(
      (a, b) =>
        Math.abs(a.getBoundingClientRect().left - here.left) -
        Math.abs(b.getBoundingClientRect().left - here.left),
    )[0]
}

/** Moves the focus between the cards of all sections by arrow key; Home and End lead to the ends. */
export function moveBetweenCards(event: KeyboardEvent<HTMLElement>): void {
  if (!/^(Arrow(Up|Down|Left|Right)|Home|End)$/.test(event.key)) return
  const from = document.activeElement
  if (!(from instanceof HTMLElement) || !from.matches('[data-entry-id]')) return
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-entry-id]')]
  const ends: Record<string, HTMLElement | undefined> = { Home: cards[0], End: cards.at(-1) }
  const next = event.key in ends ? ends[event.key] : neighbour(cards, from, event.key)
  event.preventDefault()
  next?.focus()
  next?.closest('.card')?.scrollIntoView({ block: 'nearest' })
}
