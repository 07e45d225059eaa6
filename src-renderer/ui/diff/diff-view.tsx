import { Copy } from 'lucide-react'
import type { JSX } from 'react'

import type { DiffLine } from '../../../src-shared/domain/agents/host'
import { Button } from '../controls/button'
import { copyText } from '../saving/copy-text'
import { counted } from '../text/format'
import { visibleText } from '../text/untrusted-text'
import { ChangedLines, type ChangeRow } from './changed-lines'

/** Returns the lines of a diff in order, and the number of hidden lines between them. */
export function diffRows(diff: readonly DiffLine[]): ChangeRow[] {
  let next = 1
  return diff.flatMap((line): ChangeRow[] => {
    // A removed line is numbered in the old text, so it does not tell the position in the new one.
    if (line.kind === 'removed') return [line]
    const lines = line.line - next
    next = line.line + 1
    return lines > 0 ? [{ kind: 'gap', lines }, line] : [line]
  })
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const

/** Returns a diff as plain text, with a sign before each line. */
export function diffText(diff: readonly DiffLine[]): string {
  const rows = diffRows(diff).map((row) =>
    row.kind === 'gap' ? '…' : `${SIGNS[row.kind]} ${visibleText(row.text)}`,
  )
  return rows.join('\n')
}

/** Summarizes a diff: "5 lines added, 1 removed". */
export function diffSummary(diff: readonly DiffLine[]): string {
  const count = (kind: DiffLine['kind']): number => diff.filter((one) => one.kind === kind).length
  const [added, removed] = [count('added'), count('removed')]
  const lines = (number: number): string => counted(number, 'line')
  if (added > 0 && removed > 0) return `${lines(added)} added, ${String(removed)} removed`
  if (added > 0) return `${lines(added)} added`
  return removed > 0 ? `${lines(removed)} removed` : 'No line changes'
}

/** The diff of a file with a summary and a copy button. */
export function DiffView(props: {
  readonly diff: readonly DiffLine[]
  /** Label of the region: "Changes of ~/.cursor/mcp.json". */
  readonly label: string
}): JSX.Element {
  const { diff, label } = props
  return (
    <div>
      <div className="flex items-center justify-between text-small text-muted">
        <span className="tabular-nums">{diffSummary(diff)}</span>
        <Button
          size="small"
          variant="quiet"
          icon={Copy}
          onClick={() => copyText(diffText(diff), 'Changes copied.')}
        >
          Copy changes
        </Button>
      </div>
      <ChangedLines label={label} lines={diffRows(diff)} />
    </div>
  )
}
