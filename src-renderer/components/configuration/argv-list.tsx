import clsx from 'clsx'
import type { ReactElement } from 'react'

/** One line of a command or an environment, as it is shown. */
export type ArgvLine = {
  readonly text: string
  readonly secret: boolean
  /** Before the text and never masked, such as `NAME=`. */
  readonly lead?: string
  /** What the line is worth to the reader: where it comes from. */
  readonly origin: string
  /** The user gave it. */
  readonly mine: boolean
  /** The next line belongs to this one: a flag before its value. */
  readonly joinsNext: boolean
  readonly state: 'plain' | 'live' | 'bad'
}

type ArgvListProps = { label: string; lines: readonly ArgvLine[]; numbered?: boolean }

function Text({ line }: { line: ArgvLine }): ReactElement {
  if (line.secret) return <span className="soft">{line.text}</span>
  // Nothing at all would look like a mistake.
  if (line.text === '') return <span className="faint">empty</span>
  return <>{line.text}</>
}

function originInk({ state, mine }: ArgvLine): string {
  if (state !== 'plain') return 'tone'
  return mine ? 'accent' : 'faint'
}

function Line({ line }: { line: ArgvLine }): ReactElement {
  return (
    <li
      className={clsx(
        'flex gap-2 at-base',
        line.joinsNext && 'joined',
        line.state === 'live' && 'tint accented',
        line.state === 'bad' && 'tint is-error',
      )}
    >
      <code className="grow">
        {line.lead}
        <Text line={line} />
      </code>
      <span className={clsx('origin micro nowrap cut', originInk(line))} title={line.origin}>
        {line.origin}
      </span>
    </li>
  )
}

/** A command argument by argument, numbered from 0, or an environment name by name. */
export function ArgvList({ label, lines, numbered = true }: ArgvListProps): ReactElement {
  const items = lines.map((line, index) => <Line key={index} line={line} />)
  if (numbered)
    return (
      <ol className="argv box clip surface divided" start={0} aria-label={label} role="list">
        {items}
      </ol>
    )
  return (
    <ul className="argv box clip surface divided" aria-label={label} role="list">
      {items}
    </ul>
  )
}
