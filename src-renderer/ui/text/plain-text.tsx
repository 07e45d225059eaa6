import clsx from 'clsx'
import { type JSX, useState } from 'react'

import { visibleText } from './untrusted-text'

const LONG = 320

/** An untrusted text as plain text; a long one is cut and can be expanded. */
export function PlainText(props: {
  readonly text: string
  readonly className?: string
}): JSX.Element {
  const { text, className } = props
  const [isWhole, setIsWhole] = useState(false)
  const isLong = text.length > LONG
  const shown = visibleText(isLong && !isWhole ? text.slice(0, LONG).toWellFormed() : text)
  return (
    <p
      className={clsx(
        'max-w-text text-pretty wrap-anywhere whitespace-pre-wrap text-muted',
        className,
      )}
      dir="auto"
    >
      {isLong && !isWhole ? `${shown.trimEnd()}… ` : shown}
      {isLong && (
        <button
          type="button"
          className="text-button bare text-accent"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </p>
  )
}
