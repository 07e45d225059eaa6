import type { JSX } from 'react'
import { useEffect, useMemo, useState } from 'react'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { toErrorShape } from '../../ipc/call'
import { ChangedLines } from '../../ui/diff/changed-lines'
import { ProblemText } from '../../ui/fields/problem-text'
import { Skeleton } from '../../ui/layout/skeleton'
import { Dialog } from '../../ui/overlays/dialog'
import { formatStamp } from '../../ui/text/format'
import { broughtBy, compareTexts, type Comparison } from './compare-trials'
import { outcomeWord } from './messages'

type Two = { readonly before: ToolRun; readonly after: ToolRun }
type Brought =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'ready'; readonly comparison: Comparison }

function useBrought({ before, after }: Two): Brought {
  const [brought, setBrought] = useState<Brought>({ kind: 'loading' })
  useEffect(() => {
    const asked = { isOver: false }
    Promise.all([broughtBy(before), broughtBy(after)]).then(
      ([old, now]) => {
        if (!asked.isOver) setBrought({ kind: 'ready', comparison: compareTexts(old, now) })
      },
      (thrown: unknown) => {
        if (!asked.isOver) setBrought({ kind: 'failed', message: toErrorShape(thrown).message })
      },
    )
    return () => {
      asked.isOver = true
    }
  }, [before, after])
  return brought
}

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

/** Two trials next to each other: what was sent, and what came back. */
export function CompareDialog({
  before,
  after,
  onClose,
}: Two & { readonly onClose: () => void }): JSX.Element {
  const sent = useMemo(() => {
    const text = (toolRun: ToolRun): string => JSON.stringify(toolRun.request.params, null, 2)
    return compareTexts(text(before), text(after))
  }, [before, after])
  const brought = useBrought({ before, after })
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
        {brought.kind === 'loading' && <Skeleton label="Loading results" rows={3} />}
        {brought.kind === 'failed' && <ProblemText>{brought.message}</ProblemText>}
        {brought.kind === 'ready' && <Part label="Response" comparison={brought.comparison} />}
      </div>
    </Dialog>
  )
}
