import './changed-lines.css'

import clsx from 'clsx'
import { Copy } from 'lucide-react'
import type { JSX } from 'react'

import type { DiffLine } from '../../../src-shared/domain/agents/host'
import { Button } from '../controls/button'
import { copyText } from '../saving/copy-text'
import { counted } from '../text/format'
import { CHANGE_LOOKS } from './changed-lines'
import { type DiffRow, diffRows, diffText, diffWords } from './diff-rows'

const SIGNS = { same: ' ', added: '+', removed: '−' } as const
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const

function Row({ row }: { readonly row: DiffRow }): JSX.Element {
  if (row.kind === 'gap')
    return <li className="change is-gap faint">{counted(row.lines, 'line stays', 'lines stay')}</li>
  const { kind, line } = row.line
  return (
    <li className={clsx('change flex gap-2', CHANGE_LOOKS[kind])}>
      <span aria-hidden className="change-line right fixed faint num">
        {line}
      </span>
      <span aria-hidden className="change-sign fixed">
        {SIGNS[kind]}
      </span>
      <span className="sr">{WORDS[kind]}</span>
      <span className="break keep-lines">{row.text}</span>
    </li>
  )
}

/** What a change makes of a file, line by line: signs and words beside the colours; long lines wrap, a long diff scrolls. */
export function DiffView({
  diff,
  label,
}: {
  readonly diff: readonly DiffLine[]
  /** Names the region: "Changes of ~/.cursor/mcp.json". */
  readonly label: string
}): JSX.Element {
  return (
    <div>
      <div className="row spread soft small">
        <span className="num">{diffWords(diff)}</span>
        <Button
          size="small"
          variant="quiet"
          icon={Copy}
          onClick={() => copyText(diffText(diff), 'Changes copied.')}
        >
          Copy changes
        </Button>
      </div>
      {/* A long one scrolls, with the keyboard too. */}
      <div
        className="changes well box pad-row scroll bounded small"
        role="region"
        aria-label={label}
        tabIndex={0}
      >
        <ol aria-label={label}>
          {diffRows(diff).map((row, index) => (
            <Row key={index} row={row} />
          ))}
        </ol>
      </div>
    </div>
  )
}
