import type { ReactElement } from 'react'
import { useMemo, useState } from 'react'

import { Combobox } from '../../../ui/fields/combobox'

/** Most choices that are drawn at once. */
const MOST_SHOWN = 50

type SearchChoiceProps = {
  readonly id: string
  readonly labels: readonly string[]
  /** Place of the chosen one; -1 for none. */
  readonly chosen: number
  readonly onChoose: (place: number) => void
  readonly disabled?: boolean
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

function noteOf(found: number): string | undefined {
  if (found === 0) return 'No matches'
  return found > MOST_SHOWN ? `${found - MOST_SHOWN} more. Type to search.` : undefined
}

/** One of very many choices, found by typing. Few of them are drawn at a time. */
export function SearchChoice(props: SearchChoiceProps): ReactElement {
  const { labels, chosen, onChoose, ...input } = props
  /** What is typed while it is searched; undefined while the choice stands. */
  const [words, setWords] = useState<string | undefined>(undefined)
  /** Whether the field was emptied, and not just opened. */
  const [isEmptied, setIsEmptied] = useState(false)
  const places = useMemo(() => foundPlaces(labels, words ?? ''), [labels, words])
  const shown = places.slice(0, MOST_SHOWN)
  const search = (next: string | undefined, isTyped = false): void => {
    setWords(next)
    setIsEmptied(isTyped && next === '')
  }
  const leave = (): void => {
    // An emptied field leaves the value out.
    if (isEmptied && chosen !== -1) onChoose(-1)
    search(undefined)
  }
  return (
    <Combobox
      {...input}
      takesFirst
      listLabel="Choices"
      isOpen={words !== undefined}
      onOpenChange={(isOpen) => search(isOpen ? '' : undefined)}
      options={shown.map((place) => labels[place] ?? '')}
      chosen={shown.indexOf(chosen)}
      note={noteOf(places.length)}
      onTake={(at) => {
        onChoose(shown[at] ?? -1)
        search(undefined)
      }}
      placeholder={(isEmptied ? undefined : labels[chosen]) ?? `Search ${labels.length} choices`}
      value={words ?? labels[chosen] ?? ''}
      onValueChange={(next) => search(next, true)}
      onBlur={leave}
    />
  )
}
