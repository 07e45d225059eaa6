import { diffLines } from 'diff'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { indented } from '../json/text/indented-text'
import { readWhole, toolRunText } from '../json/text/text-source'

/** Most of a text that is compared, in UTF-16 units, and most lines that are shown of it. */
const LONGEST = 100_000
const MOST_LINES = 600
const LONGEST_LINE = 2_000
const LIMITS = { maxEditLength: 2_000, timeout: 200 }

/** What differs between two texts, line by line; `isCut` where more of them is not looked at. */
export type Comparison = { readonly lines: readonly ChangedLine[]; readonly isCut: boolean }

function linesOf(kind: ChangedLine['kind'], value: string): ChangedLine[] {
  return value
    .replace(/\n$/u, '')
    .split('\n')
    .map((text) => ({ kind, text: text.slice(0, LONGEST_LINE) }))
}

/** Compares two texts; too different ones are told as all of the one gone and all of the other come. */
export function compareTexts(before: string, after: string): Comparison {
  const [old, now] = [before.slice(0, LONGEST), after.slice(0, LONGEST)]
  const changes = diffLines(old, now, LIMITS) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ]
  const lines = changes.flatMap(({ value, added, removed }) =>
    linesOf(added ? 'added' : removed ? 'removed' : 'same', value),
  )
  const isCut = before.length > LONGEST || after.length > LONGEST || lines.length > MOST_LINES
  return { lines: lines.slice(0, MOST_LINES), isCut }
}

/** What a trial brought, as text that can be compared; rejects where that is not held any more. */
export async function broughtBy(toolRun: ToolRun): Promise<string> {
  const { outcome } = toolRun
  if (outcome === undefined) return ''
  if (outcome.kind === 'failed') return outcome.error.message
  if (outcome.length > 0 && !toolRun.hasText)
    throw new AppError('NOT_FOUND', 'One of the results is no longer available.')
  const source = toolRunText(toolRun)
  // One more tells that there is more.
  const text = source === undefined ? '' : indented(await readWhole(source, LONGEST + 1))
  return outcome.kind === 'refused' ? [outcome.message, text].filter(Boolean).join('\n') : text
}
