import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReactElement } from 'react'

/** The two buttons that move a row of a list; their ids end in `-up` and `-down`. */
export function Movers(props: {
  /** Of what is typed into first in the row. */
  readonly id: string
  /** Of the row, as in "Move entry 2 up". */
  readonly name: string
  readonly index: number
  /** Rows of the list. */
  readonly count: number
  readonly onMove: (by: -1 | 1, end: '-up' | '-down') => void
}): ReactElement {
  const { id, name, index, count, onMove } = props
  const steps = [
    { by: -1, icon: ChevronUp, word: 'up', end: '-up', key: 'ArrowUp', last: 0 },
    { by: 1, icon: ChevronDown, word: 'down', end: '-down', key: 'ArrowDown', last: count - 1 },
  ] as const
  return (
    <div className="movers col">
      {steps.map(({ by, icon: Icon, word, end, key, last }) => (
        <button
          key={word}
          type="button"
          className="mover bare lights centered faint"
          id={`${id}${end}`}
          aria-label={`Move ${name} ${word}`}
          aria-keyshortcuts={`Alt+${key}`}
          aria-disabled={index === last}
          onClick={() => onMove(by, end)}
        >
          <Icon className="icon icon-s" aria-hidden />
        </button>
      ))}
    </div>
  )
}
