import { useQuery } from '@tanstack/react-query'
import { diffLines } from 'diff'
import { type JSX, useMemo } from 'react'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { toErrorShape } from '../../ipc/call'
import { ChangedLines } from '../../ui/diff/changed-lines'
import { ProblemText } from '../../ui/fields/problem-text'
import { Skeleton } from '../../ui/layout/skeleton'
import { Dialog } from '../../ui/overlays/dialog'
import { formatStamp } from '../../ui/text/format'
import { indented } from '../json/text/indented-text'
import { readWhole, toolRunText } from '../json/text/text-source'
import { outcomeWord } from './messages'

/** Most of a text that is compared, in UTF-16 units, and most lines that are shown of it. */
const LONGEST = 100_000
const MOST_LINES = 600
const LONGEST_LINE = 2_000
const LIMITS = { maxEditLength: 2_000, timeout: 200 }

/** What differs between two texts, line by line; `isCut` where more of them is not looked at. */
type Comparison = { readonly lines: readonly ChangedLine[]; readonly isCut: boolean }

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

/** What a run brought, as text that can be compared; rejects where that is not held any more. */
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

type Two = { readonly before: ToolRun; readonly after: ToolRun }
function Part(props: { readonly label: string; readonly comparison: Comparison }): JSX.Element {
  const { lines, isCut } = props.comparison
  const isSame = lines.every(({ kind }) => kind === 'same')
  return (
    <section className="compare-part stack gap-2 slim">
      <h3 className="title">{props.label}</h3>
      {isSame && !isCut ? (
        <p className="soft">No differences</p>
      ) : (
        <ChangedLines label={props.label} lines={lines} />
      )}
      {isCut && <p className="small">Too long to compare in full.</p>}
    </section>
  )
}

function headOf(toolRun: ToolRun): string {
  return `${formatStamp(toolRun.startedAt)}, ${outcomeWord(toolRun).word.toLowerCase()}`
}

/** Two runs next to each other: what was sent, and what came back. */
export function CompareDialog({
  before,
  after,
  onClose,
}: Two & { readonly onClose: () => void }): JSX.Element {
  const sent = useMemo(() => {
    const text = (toolRun: ToolRun): string => JSON.stringify(toolRun.request.params, null, 2)
    return compareTexts(text(before), text(after))
  }, [before, after])
  const { data, error } = useQuery({
    queryKey: ['compare', before.toolRunId, after.toolRunId],
    queryFn: async () => {
      const [old, now] = await Promise.all([broughtBy(before), broughtBy(after)])
      return compareTexts(old, now)
    },
  })
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Compare runs"
      description={
        <p>
          From {headOf(before)}, to {headOf(after)}.
        </p>
      }
      leave="Close"
    >
      <div className="stack slim gap-4 above-3">
        <Part label="Request" comparison={sent} />
        {!data && !error && <Skeleton label="Loading results" rows={3} />}
        {error && <ProblemText>{toErrorShape(error).message}</ProblemText>}
        {data && <Part label="Response" comparison={data} />}
      </div>
    </Dialog>
  )
}
