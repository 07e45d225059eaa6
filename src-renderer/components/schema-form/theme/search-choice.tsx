import clsx from 'clsx'
import type { KeyboardEvent, ReactElement } from 'react'
import { useMemo, useState } from 'react'

import { TextInput } from '../../../ui/fields/text-input'
import { nextRow } from '../../../ui/focus/next-row'

/** Most choices that are drawn at once. */
const MOST_SHOWN = 50

type SearchChoiceProps = {
  readonly id: string
  readonly labels: readonly string[]
  /** Place of the chosen one; -1 for none. */
  readonly chosen: number
  readonly onChoose: (place: number) => void
  readonly disabled?: boolean
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: true | undefined
  readonly 'aria-required'?: true | undefined
}

/** The places of the choices with these words in them, those that begin with them first. */
export function foundPlaces(labels: readonly string[], words: string): readonly number[] {
  const sought = words.trim().toLowerCase()
  const places = labels.map((_, place) => place)
  if (sought === '') return places
  const within = places.filter((place) => labels[place]?.toLowerCase().includes(sought))
  const starts = (place: number): boolean =>
    labels[place]?.toLowerCase().startsWith(sought) === true
  return [...within.filter(starts), ...within.filter((place) => !starts(place))]
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

function Found(props: {
  readonly id: string
  readonly labels: readonly string[]
  readonly places: readonly number[]
  readonly active: number
  readonly chosen: number
  readonly onTake: (place: number) => void
}): ReactElement {
  const { id, labels, places, active, chosen, onTake } = props
  const left = places.length - MOST_SHOWN
  return (
    <div className="search-choices float">
      <ul className="mid scroll" role="listbox" id={`${id}-list`} aria-labelledby={`${id}-label`}>
        {places.slice(0, MOST_SHOWN).map((place, row) => (
          <li
            key={place}
            ref={row === active ? intoView : undefined}
            id={`${id}-choice-${place}`}
            role="option"
            aria-selected={place === chosen}
            className={clsx(
              'search-choice pick break',
              row === active ? 'lit is-selected' : 'lights',
            )}
            // A press must not take the focus out of the field before the click arrives.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(place)}
          >
            {labels[place]}
          </li>
        ))}
      </ul>
      {left > 0 && <p className="pad-row soft small">{`${left} more. Type to search.`}</p>}
      {places.length === 0 && <p className="pad-row soft small">No matches</p>}
    </div>
  )
}

/** Arrows move, Enter takes, Escape closes; Home and End stay with the text. */
function pressOf(acts: {
  readonly move: (key: string) => number | undefined
  readonly onMove: (row: number) => void
  readonly take: (() => void) | undefined
  readonly close: (() => void) | undefined
}): (event: KeyboardEvent) => void {
  return (event) => {
    const row = ['Home', 'End'].includes(event.key) ? undefined : acts.move(event.key)
    const isTaken = event.key === 'Enter' && !event.ctrlKey && !event.metaKey
    if (row !== undefined) acts.onMove(row)
    else if (isTaken && acts.take) acts.take()
    else if (event.key === 'Escape' && acts.close) acts.close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** One of very many choices: typing finds it, arrows and Enter take it. Few of them are drawn at a time. */
export function SearchChoice(props: SearchChoiceProps): ReactElement {
  const { id, labels, chosen, onChoose, disabled, ...aria } = props
  /** What is typed while it is searched; undefined while the choice stands. */
  const [words, setWords] = useState<string | undefined>(undefined)
  /** Whether the field was emptied, and not just opened. */
  const [isEmptied, setIsEmptied] = useState(false)
  const [active, setActive] = useState(0)
  const places = useMemo(() => foundPlaces(labels, words ?? ''), [labels, words])
  const isOpen = words !== undefined
  const shown = Math.min(places.length, MOST_SHOWN)
  const activePlace = isOpen ? places[active] : undefined
  const search = (next: string | undefined, isTyped = false): void => {
    setWords(next)
    setIsEmptied(isTyped && next === '')
    setActive(0)
  }
  const take = (place: number): void => {
    onChoose(place)
    search(undefined)
  }
  const press = pressOf({
    move: (key) => nextRow(key, active, shown, 10),
    onMove: (row) => (isOpen ? setActive(row) : search('')),
    take: activePlace === undefined ? undefined : () => take(activePlace),
    close: isOpen ? () => search(undefined) : undefined,
  })
  const leave = (): void => {
    // An emptied field leaves the value out.
    if (isEmptied && chosen !== -1) onChoose(-1)
    search(undefined)
  }
  return (
    <div className="anchor">
      <TextInput
        {...aria}
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={
          activePlace === undefined ? undefined : `${id}-choice-${activePlace}`
        }
        disabled={disabled}
        placeholder={(isEmptied ? undefined : labels[chosen]) ?? `Search ${labels.length} choices`}
        value={words ?? labels[chosen] ?? ''}
        onValueChange={(next) => search(next, true)}
        onKeyDown={press}
        onBlur={leave}
      />
      {isOpen && <Found {...{ id, labels, places, chosen, active }} onTake={take} />}
    </div>
  )
}
