import './changed-lines.css'

import type { JSX } from 'react'

import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { CHANGE_LOOKS } from './change-looks'

/** What changed within one text: words taken out and put in, each told by its mark and by a word for screen readers. */
export function ChangedWords({
  label,
  pieces,
}: {
  readonly label: string
  /** In order, with nothing in them that cannot be seen. */
  readonly pieces: readonly ChangedLine[]
}): JSX.Element {
  return (
    <p
      className="changed-words well box pad-row bounded soft break keep-lines scroll"
      role="region"
      aria-label={label}
      tabIndex={0}
      dir="auto"
    >
      {pieces.map(({ kind, text }, index) => {
        if (kind === 'same') return <span key={index}>{text}</span>
        const Mark = kind === 'added' ? 'ins' : 'del'
        return (
          <Mark key={index} className={CHANGE_LOOKS[kind]}>
            <span className="sr">{kind}: </span>
            {text}
          </Mark>
        )
      })}
    </p>
  )
}
