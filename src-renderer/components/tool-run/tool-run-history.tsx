import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Copy, MoreHorizontal, RotateCw, Trash2 } from 'lucide-react'
import { type JSX, useMemo, useState } from 'react'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import type { ChangedLine } from '../../../src-shared/domain/installation/launch-changes'
import { toErrorShape } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useServer } from '../../stores/app-store'
import { clearHistory } from '../../stores/tool-run-store'
import { Button, IconButton } from '../../ui/controls/button'
import { withMember } from '../../ui/controls/members'
import { Menu, MenuAction } from '../../ui/controls/menu'
import { ChangedLines } from '../../ui/diff/changed-lines'
import { ProblemText } from '../../ui/fields/field'
import { Skeleton } from '../../ui/layout/page'
import { SectionHeader } from '../../ui/layout/section'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { Tag } from '../../ui/marks/tag'
import { ConfirmDialog, Dialog } from '../../ui/overlays/dialog'
import { copyText } from '../../ui/saving/copy-text'
import { formatDuration, formatStamp } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { indentedText } from '../json/json-nodes'
import { readAll, toolRunText } from '../json/text-source'
import { lineChanges } from '../tool/review-texts'
import { asJsonRpc, outcomeLabel } from './messages'

const MAX_SENT_LENGTH = 160

function sentText({ request: { method, params } }: ToolRun): string {
  if (method === 'resources/read')
    return typeof params.uri === 'string' ? params.uri.slice(0, MAX_SENT_LENGTH) : ''
  return JSON.stringify(params.arguments ?? {}).slice(0, MAX_SENT_LENGTH)
}

type HistoryActions = {
  readonly onOpen: (toolRun: ToolRun) => void
  readonly onRunAgain: (toolRun: ToolRun) => void
}

type RowProps = HistoryActions & {
  readonly toolRun: ToolRun
  readonly isShown: boolean
  readonly isPicked: boolean
  readonly onPick: (isPicked: boolean) => void
}

function Row(props: RowProps): JSX.Element {
  const { toolRun, isShown, isPicked, onPick, onOpen, onRunAgain } = props
  const { word, mark } = outcomeLabel(toolRun)
  const at = formatStamp(toolRun.startedAt)
  const sent = useMemo(() => visibleText(sentText(toolRun)), [toolRun])
  return (
    <li className={clsx('flex items-center gap-2 px-2', isShown && 'bg-accent-soft')}>
      <input
        type="checkbox"
        className="check"
        aria-label={`Compare the run at ${at}`}
        checked={isPicked}
        onChange={(event) => onPick(event.currentTarget.checked)}
      />
      <button
        type="button"
        className="tool-run-open bare grid min-w-0 flex-1 items-center gap-2 hover:bg-hover"
        aria-current={isShown || undefined}
        onClick={() => onOpen(toolRun)}
      >
        <span className="tabular-nums">{at}</span>
        <span className="inline-flex min-w-0 items-center gap-2">
          <StatusGlyph status={mark} />
          {word}
        </span>
        {toolRun.isOfView && <Tag>View</Tag>}
        <span className="text-faint tabular-nums">
          {toolRun.durationMs === undefined ? '' : formatDuration(toolRun.durationMs)}
        </span>
        <code className="truncate text-faint">{sent}</code>
      </button>
      <Menu
        label={`Run at ${at}`}
        trigger={<IconButton small icon={MoreHorizontal} label={`Actions for the run at ${at}`} />}
      >
        <MenuAction icon={RotateCw} onSelect={() => onRunAgain(toolRun)}>
          Run again
        </MenuAction>
        <MenuAction
          icon={Copy}
          onSelect={() => copyText(asJsonRpc(toolRun.request), 'Copied the request.')}
        >
          Copy as JSON-RPC
        </MenuAction>
      </Menu>
    </li>
  )
}

function ClearButton({ installationId }: { readonly installationId: string }): JSX.Element {
  const [isConfirming, setIsConfirming] = useState(false)
  const name = useServer(installationId)?.name ?? 'this server'
  return (
    <>
      <Button size="small" variant="quiet" icon={Trash2} onClick={() => setIsConfirming(true)}>
        Clear
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        focusAfterId="main"
        title="Clear run history?"
        description={`Deletes all runs of ${name} and their results, including runs not listed here.`}
        confirmLabel="Clear history"
        onConfirm={() => attempt(clearHistory(installationId))}
      />
    </>
  )
}

/** The runs since the app started, each to open or send again, and two of them to compare. */
export function ToolRunHistoryList(
  props: HistoryActions & {
    readonly installationId: string
    readonly toolRuns: readonly ToolRun[]
    readonly shownId: string | undefined
  },
): JSX.Element | null {
  const { installationId, toolRuns, shownId, onOpen, onRunAgain } = props
  const [picked, setPicked] = useState<readonly string[]>([])
  const [isComparing, setIsComparing] = useState(false)
  if (toolRuns.length === 0) return null
  const chosen = toolRuns.filter(({ toolRunId }) => picked.includes(toolRunId))
  const [after, before] = chosen
  // Of three selected runs, the first selected one is deselected.
  const pick = (toolRunId: string, isPicked: boolean): void =>
    setPicked(withMember(picked, toolRunId, isPicked).slice(-2))
  return (
    <section className="tool-run-history grid min-w-0 gap-2" aria-label="History">
      <SectionHeader title="History" count={toolRuns.length}>
        <Button size="small" disabled={chosen.length < 2} onClick={() => setIsComparing(true)}>
          Compare two
        </Button>
        <ClearButton installationId={installationId} />
      </SectionHeader>
      <ul
        className="bounded scroll divide-y divide-line rounded-lg border border-line"
        aria-label="Runs"
      >
        {toolRuns.map((toolRun) => (
          <Row
            key={toolRun.toolRunId}
            toolRun={toolRun}
            isShown={toolRun.toolRunId === shownId}
            isPicked={picked.includes(toolRun.toolRunId)}
            onPick={(isPicked) => pick(toolRun.toolRunId, isPicked)}
            onOpen={onOpen}
            onRunAgain={onRunAgain}
          />
        ))}
      </ul>
      {isComparing && before && after && (
        <CompareDialog before={before} after={after} onClose={() => setIsComparing(false)} />
      )}
    </section>
  )
}

/** Maximum length of a compared text, in UTF-16 units, and maximum number and length of shown lines. */
const LONGEST = 100_000
const MAX_LINES = 600
const MAX_LINE_LENGTH = 2_000

/** The difference of two texts line by line; `isCut` if it is incomplete. */
type Comparison = { readonly lines: readonly ChangedLine[]; readonly isCut: boolean }

/** Compares the starts of two texts. */
export function compareTexts(before: string, after: string): Comparison {
  const lines = lineChanges(before.slice(0, LONGEST), after.slice(0, LONGEST))
  const isCut = before.length > LONGEST || after.length > LONGEST || lines.length > MAX_LINES
  const shown = lines.slice(0, MAX_LINES)
  return {
    lines: shown.map((one) => ({ ...one, text: one.text.slice(0, MAX_LINE_LENGTH) })),
    isCut,
  }
}

/** Returns the outcome of a run as text to compare; rejects if the text is no longer stored. */
export async function textToCompare(toolRun: ToolRun): Promise<string> {
  const { outcome } = toolRun
  if (outcome === undefined) return ''
  if (outcome.kind === 'failed') return outcome.error.message
  if (outcome.length > 0 && !toolRun.hasText)
    throw new AppError('NOT_FOUND', 'One of the results is no longer available.')
  const source = toolRunText(toolRun)
  // One extra character shows that the text is longer.
  const text = source === undefined ? '' : indentedText(await readAll(source, LONGEST + 1))
  return outcome.kind === 'refused' ? [outcome.message, text].filter(Boolean).join('\n') : text
}

function Part(props: { readonly label: string; readonly comparison: Comparison }): JSX.Element {
  const { lines, isCut } = props.comparison
  const isSame = lines.every(({ kind }) => kind === 'same')
  return (
    <section className="grid min-w-0 gap-2">
      <h3 className="text-title">{props.label}</h3>
      {isSame && !isCut ? (
        <p className="text-muted">No differences</p>
      ) : (
        <ChangedLines label={props.label} lines={lines} />
      )}
      {isCut && <p className="text-small">Too long to compare in full.</p>}
    </section>
  )
}

function headOf(toolRun: ToolRun): string {
  return `${formatStamp(toolRun.startedAt)}, ${outcomeLabel(toolRun).word.toLowerCase()}`
}

function CompareDialog(props: {
  readonly before: ToolRun
  readonly after: ToolRun
  readonly onClose: () => void
}): JSX.Element {
  const { before, after, onClose } = props
  const sent = useMemo(() => {
    const text = (toolRun: ToolRun): string => JSON.stringify(toolRun.request.params, null, 2)
    return compareTexts(text(before), text(after))
  }, [before, after])
  const { data, error } = useQuery({
    queryKey: ['compare', before.toolRunId, after.toolRunId],
    queryFn: async () => {
      const [old, now] = await Promise.all([textToCompare(before), textToCompare(after)])
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
      <div className="mt-3 grid min-w-0 gap-4">
        <Part label="Request" comparison={sent} />
        {!data && !error && <Skeleton label="Loading results" rows={3} />}
        {error && <ProblemText>{toErrorShape(error).message}</ProblemText>}
        {data && <Part label="Response" comparison={data} />}
      </div>
    </Dialog>
  )
}
