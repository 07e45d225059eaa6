import type { DiffLine } from '../../../src-shared/domain/agents/host'
import { counted } from '../text/format'
import { visibleText } from '../text/visible-text'

/** A line of a diff, or the lines between two that are not shown. */
export type DiffRow =
  | { readonly kind: 'line'; readonly line: DiffLine; readonly text: string }
  | { readonly kind: 'gap'; readonly lines: number }

/** The lines of a diff in order, with what hides in them made visible, and how many lines stay unshown between them. */
export function diffRows(diff: readonly DiffLine[]): DiffRow[] {
  let next = 1
  return diff.flatMap((line): DiffRow[] => {
    const shown: DiffRow = { kind: 'line', line, text: visibleText(line.text) }
    // A removed line is counted in the text that was: it says nothing of the place in the new one.
    if (line.kind === 'removed') return [shown]
    const unshown = line.line - next
    next = line.line + 1
    return unshown > 0 ? [{ kind: 'gap', lines: unshown }, shown] : [shown]
  })
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const satisfies Record<
  DiffLine['kind'],
  string
>

/** A diff as plain text, one sign before each line. */
export function diffText(diff: readonly DiffLine[]): string {
  const rows = diffRows(diff).map((row) =>
    row.kind === 'gap' ? '…' : `${SIGNS[row.line.kind]} ${row.text}`,
  )
  return rows.join('\n')
}

/** What a diff does, in words: "5 lines added, 1 removed". */
export function diffWords(diff: readonly DiffLine[]): string {
  const count = (kind: DiffLine['kind']): number => diff.filter((one) => one.kind === kind).length
  const added = count('added')
  const removed = count('removed')
  const lines = (number: number): string => counted(number, 'line')
  if (added > 0 && removed > 0) return `${lines(added)} added, ${String(removed)} removed`
  if (added > 0) return `${lines(added)} added`
  return removed > 0 ? `${lines(removed)} removed` : 'No line changes'
}
