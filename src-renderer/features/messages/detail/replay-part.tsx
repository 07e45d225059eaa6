import { RotateCw } from 'lucide-react'
import { type JSX, useEffect, useRef, useState } from 'react'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { MessageEntry, MessageRef } from '../../../../src-shared/domain/agents/message-log'
import { type ToolRun, ToolRunRequest } from '../../../../src-shared/domain/agents/tool-run'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { useCapabilities } from '../../../components/tool/use-capabilities'
import { endWords } from '../../../components/tool-run/messages'
import { ResultView } from '../../../components/tool-run/results/result-view'
import { call } from '../../../ipc/call'
import { tellFailure } from '../../../ipc/tell-failure'
import { useAction } from '../../../ipc/use-action'
import { useNow } from '../../../stores/now'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { formatDuration, formatWhole } from '../../../ui/text/format'
import { problemWords } from '../../../ui/text/problem-messages'
import { visibleText } from '../../../ui/text/visible-text'

/** Sends the request once more, after a question where it may do harm. */
export function ReplayButton({
  server,
  request,
  isBusy,
  onReplay,
}: {
  readonly server: ServerView
  readonly request: MessageEntry
  readonly isBusy: boolean
  readonly onReplay: () => void
}): JSX.Element {
  const tools = useCapabilities(server).value?.tools
  const [isAsking, setIsAsking] = useState(false)
  const { target = 'the tool' } = request
  const tool = tools?.find(({ name }) => name === request.target)
  const warning = replayProblem(request, tool)
  return (
    <>
      <Button
        size="small"
        icon={RotateCw}
        busy={isBusy}
        onClick={() => (warning === undefined ? onReplay() : setIsAsking(true))}
      >
        Replay
      </Button>
      {isAsking && warning !== undefined && (
        <ConfirmDialog
          onClose={() => setIsAsking(false)}
          title={`Call ${visibleText(target)} again?`}
          description={`${visibleText(warning)} Calls the tool again with the same arguments.`}
          confirmLabel="Call again"
          danger={false}
          onConfirm={() => {
            onReplay()
            return 'done'
          }}
        />
      )}
    </>
  )
}

function Running({ onCancel }: { readonly onCancel: () => void }): JSX.Element {
  const [begun] = useState(() => Date.now())
  const now = useNow(1_000)
  return (
    <p className="row gap-2 slim">
      <StatusGlyph status="starting" />
      <span className="grow num">{`Waiting for response, ${formatWhole(now - begun)}`}</span>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </p>
  )
}

/** What is said of it, in a sentence: the answer itself can be long, and its clock ticks. */
function saidOf(replay: Exclude<Replay, { kind: 'none' }>): string {
  if (replay.kind === 'over') return endWords(replay.toolRun)
  return replay.kind === 'running' ? 'Sent again.' : 'Can’t send the request again.'
}

/** The answer to a request that was sent once more. */
export function ReplayPart({
  replay,
  onCancel,
}: {
  readonly replay: Exclude<Replay, { kind: 'none' }>
  readonly onCancel: () => void
}): JSX.Element {
  const took = replay.kind === 'over' ? replay.toolRun.durationMs : undefined
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    // In braces: newer browsers give a promise back.
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [replay.kind])
  return (
    <section ref={place} className="pad-row stack gap-1 slim fixed" aria-label="New response">
      <p role="status" aria-label="Outcome" className="sr">
        {saidOf(replay)}
      </p>
      <div className="row gap-1">
        <h3>New response</h3>
        {took !== undefined && <span className="faint num">{`took ${formatDuration(took)}`}</span>}
      </div>
      {replay.kind === 'running' && <Running onCancel={onCancel} />}
      {replay.kind === 'failed' && (
        <Banner severity="error" topic={replay.problem.code}>
          {problemWords(replay.problem)}
        </Banner>
      )}
      {replay.kind === 'over' && <ResultView toolRun={replay.toolRun} />}
    </section>
  )
}

/** Whether a user may send this message once more; see `traffic.replay`. */
export function canReplay({ kind, direction, method }: MessageEntry): boolean {
  const isRequest = kind === 'request' && direction === 'sent'
  return isRequest && ToolRunRequest.shape.method.safeParse(method).success
}

/**
 * What has to be said before a tool is called once more; undefined where nothing has to: it says that it changes
 * nothing, or destroys nothing (MCP, ToolAnnotations). `tool` is missing where the server does not list it.
 */
export function replayProblem(
  { method, target = 'the tool' }: Pick<MessageEntry, 'method' | 'target'>,
  tool: Tool | undefined,
): string | undefined {
  if (method !== 'tools/call') return undefined
  if (tool === undefined)
    return `${target} is not in the server’s current list, so its effects are unknown.`
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {}
  if (readOnlyHint === true || destructiveHint === false) return undefined
  return destructiveHint === true
    ? `${target} is marked destructive: it may delete or overwrite data.`
    : `${target} is not marked as safe: it may delete or overwrite data.`
}

/** A request that is sent once more. */
type Replay =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly toolRunId: string }
  | { readonly kind: 'over'; readonly toolRun: ToolRun }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/** Sends a request once more; `cancel` calls it off, and its answer then says so. */
export function useReplay(): {
  readonly replay: Replay
  readonly start: (ref: MessageRef) => void
  readonly cancel: () => void
} {
  const [toolRun, setToolRun] = useState<ToolRun>()
  const { busyWith, problem, run } = useAction(
    (asked: MessageRef & { toolRunId: string }) => call('messages.replay', asked),
    setToolRun,
  )
  const cancel = (): void => {
    if (busyWith) call('toolRun.cancel', { toolRunId: busyWith.toolRunId }).catch(tellFailure)
  }
  const start = (ref: MessageRef): void => run({ ...ref, toolRunId: crypto.randomUUID() })
  if (busyWith) return { replay: { kind: 'running', ...busyWith }, start, cancel }
  if (problem) return { replay: { kind: 'failed', problem }, start, cancel }
  return { replay: toolRun ? { kind: 'over', toolRun } : { kind: 'none' }, start, cancel }
}
