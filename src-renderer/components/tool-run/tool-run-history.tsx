import clsx from 'clsx'
import { Copy, MoreHorizontal, RotateCw, Trash2 } from 'lucide-react'
import type { JSX } from 'react'
import { useMemo, useState } from 'react'

import type { ToolRun } from '../../../src-shared/domain/agents/tool-run'
import { attempt } from '../../ipc/tell-failure'
import { useServer } from '../../stores/app-store'
import { clearHistory } from '../../stores/tool-run-store'
import { Button } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { Menu, MenuAction } from '../../ui/controls/menu'
import { PartHead } from '../../ui/layout/part-head'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { Tag } from '../../ui/marks/tag'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog'
import { copyText } from '../../ui/saving/copy-text'
import { formatDuration, formatStamp } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import { CompareDialog } from './compare-dialog'
import { asJsonRpc, outcomeWord } from './messages'

const LONGEST_SENT = 160

/** What was sent beside the name, in one line. */
function sentWords({ request: { method, params } }: ToolRun): string {
  if (method === 'resources/read')
    return typeof params.uri === 'string' ? params.uri.slice(0, LONGEST_SENT) : ''
  return JSON.stringify(params.arguments ?? {}).slice(0, LONGEST_SENT)
}

type HistoryActs = {
  readonly onOpen: (toolRun: ToolRun) => void
  readonly onRunAgain: (toolRun: ToolRun) => void
}

type RowProps = HistoryActs & {
  readonly toolRun: ToolRun
  readonly isShown: boolean
  readonly isPicked: boolean
  readonly onPick: (isPicked: boolean) => void
}

function RowMenu({ toolRun, onRunAgain }: RowProps): JSX.Element {
  const at = formatStamp(toolRun.startedAt)
  return (
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
  )
}

function Row(props: RowProps): JSX.Element {
  const { toolRun, isShown, isPicked, onPick, onOpen } = props
  const { word, mark } = outcomeWord(toolRun)
  const at = formatStamp(toolRun.startedAt)
  const sent = useMemo(() => visibleText(sentWords(toolRun)), [toolRun])
  return (
    <li className={clsx('trial-row row gap-2', isShown && 'lit')}>
      <input
        type="checkbox"
        className="check"
        aria-label={`Compare the run at ${at}`}
        checked={isPicked}
        onChange={(event) => onPick(event.currentTarget.checked)}
      />
      <button
        type="button"
        className="trial-open bare lights grow stack level gap-2"
        aria-current={isShown || undefined}
        onClick={() => onOpen(toolRun)}
      >
        <span className="num">{at}</span>
        <span className="inline-row gap-2 slim">
          <StatusGlyph status={mark} />
          {word}
        </span>
        {toolRun.isOfView && <Tag>View</Tag>}
        <span className="num faint">
          {toolRun.durationMs === undefined ? '' : formatDuration(toolRun.durationMs)}
        </span>
        <code className="cut faint">{sent}</code>
      </button>
      <RowMenu {...props} />
    </li>
  )
}

function ClearButton({ installationId }: { readonly installationId: string }): JSX.Element {
  const [isAsked, setIsAsked] = useState(false)
  const name = useServer(installationId)?.name ?? 'this server'
  return (
    <>
      <Button size="small" variant="quiet" icon={Trash2} onClick={() => setIsAsked(true)}>
        Clear
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setIsAsked(false)}
        focusAfterId="main"
        title="Clear run history?"
        description={
          <p>{`Deletes all runs of ${name} and their results, including runs not listed here.`}</p>
        }
        confirmLabel="Clear history"
        onConfirm={() => attempt(clearHistory(installationId))}
      />
    </>
  )
}

/** What was tried before in this run of the app: each to be opened, sent again, and two of them compared. */
export function ToolRunHistoryList(
  props: HistoryActs & {
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
  const pick = (toolRunId: string, isPicked: boolean): void => {
    const others = picked.filter((one) => one !== toolRunId)
    // Of three, the one that was picked first goes.
    setPicked(isPicked ? [...others, toolRunId].slice(-2) : others)
  }
  return (
    <section className="trial-history stack gap-2 slim" aria-label="History">
      <PartHead title="History" count={toolRuns.length}>
        <Button size="small" disabled={chosen.length < 2} onClick={() => setIsComparing(true)}>
          Compare two
        </Button>
        <ClearButton installationId={installationId} />
      </PartHead>
      <ul className="bounded box divided scroll" aria-label="Runs">
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
