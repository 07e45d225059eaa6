import './changed-lines.css'

import clsx from 'clsx'
import type { JSX } from 'react'

import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { visibleText } from '../text/visible-text'

const SIGNS = { same: ' ', added: '+', removed: '−' } as const
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const

/** What changed from one text to another, line by line, with a word beside each colour. */
export function ChangedLines(props: {
  readonly label: string
  readonly lines: readonly ChangedLine[]
}): JSX.Element {
  return (
    // A long one scrolls, with the keyboard too.
    <div
      className="changes well box pad-row scroll bounded small"
      role="region"
      aria-label={props.label}
      tabIndex={0}
    >
      <ol aria-label={props.label}>
        {props.lines.map(({ kind, text }, index) => (
          <li key={index} className={clsx('change flex gap-2', CHANGE_LOOKS[kind])}>
            <span aria-hidden className="change-sign fixed">
              {SIGNS[kind]}
            </span>
            <span className="sr">{WORDS[kind]}</span>
            <span className="break keep-lines">{visibleText(text)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The classes of what stays, of what comes and of what goes. */
export const CHANGE_LOOKS = {
  same: 'soft',
  added: 'tone tint is-ready',
  removed: 'tone tint is-error',
} as const
