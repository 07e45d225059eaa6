import './changed-lines.css'

import clsx from 'clsx'
import type { JSX } from 'react'

import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { ScrollRegion } from '../layout/page'
import { counted } from '../text/format'
import { visibleText } from '../text/untrusted-text'

const SIGNS = { same: ' ', added: '+', removed: '−' } as const
const LABELS = { same: '', added: 'added: ', removed: 'removed: ' } as const

/** A line of a diff, with its number if known, or the hidden lines between two. */
export type ChangeRow =
  | (ChangedLine & { readonly line?: number })
  | { readonly kind: 'gap'; readonly lines: number }

function Row({ row }: { readonly row: ChangeRow }): JSX.Element {
  if (row.kind === 'gap')
    return (
      <li className="change is-gap px-3 text-faint">
        {counted(row.lines, 'line stays', 'lines stay')}
      </li>
    )
  const { kind, line, text } = row
  return (
    <li className={clsx('change flex gap-2 px-3', CHANGE_LOOKS[kind])}>
      {line !== undefined && (
        <span aria-hidden className="change-line flex-none text-right text-faint tabular-nums">
          {line}
        </span>
      )}
      <span aria-hidden className="change-sign flex-none">
        {SIGNS[kind]}
      </span>
      <span className="sr-only">{LABELS[kind]}</span>
      <span className="wrap-anywhere whitespace-pre-wrap">{visibleText(text)}</span>
    </li>
  )
}

/** Differences between two texts, line by line, with a word next to each color; long lines wrap. */
export function ChangedLines(props: {
  readonly label: string
  readonly lines: readonly ChangeRow[]
}): JSX.Element {
  return (
    // A long diff scrolls, also with the keyboard.
    <ScrollRegion
      className="bounded rounded-lg border border-line bg-inset py-2 font-mono text-small leading-log"
      label={props.label}
    >
      <ol aria-label={props.label}>
        {props.lines.map((row, index) => (
          <Row key={index} row={row} />
        ))}
      </ol>
    </ScrollRegion>
  )
}

/** Classes of unchanged, added and removed lines. */
export const CHANGE_LOOKS = {
  same: 'text-muted',
  added: 'text-status tint is-ready',
  removed: 'text-status tint is-error',
} as const
