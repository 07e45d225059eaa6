import './tool-run-frame.css'
import '../user-request/user-requests.css'

import { Copy } from 'lucide-react'
import {
  type JSX,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'

import type { ToolRun, ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import {
  cancelToolRun,
  isComplete,
  sentBy,
  startToolRun,
  useHistory,
  useToolRun,
} from '../../stores/tool-run-store'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/choice'
import { lazyComponent } from '../../ui/layout/lazy-screen'
import { Skeleton } from '../../ui/layout/page'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { showToast } from '../../ui/overlays/toast'
import { copyText } from '../../ui/saving/copy-text'
import { formatDuration } from '../../ui/text/format'
import { toolRunPath } from '../tool/tool-paths'
import { FormRequest, PageRequest } from '../user-request/form-request'
import { InPage } from '../user-request/request-frame'
import { isOfKind, showInline, useRequestsOf } from '../user-request/user-request-store'
import { asJsonRpc, endMessage, outcomeLabel } from './messages'
import { NotRunning } from './not-running'
import { ResultView } from './results/result-view'
import { ToolRunBar, ToolRunProgressBar, useDeadline } from './tool-run-bar'
import { ToolRunHistoryList } from './tool-run-history'

/** A result with this much in view needs no scrolling, in px. */
const VISIBLE_PX = 120

/** Scrolls an element into view if its start is out of view. */
function scrollToStart(element: Element | null): void {
  if (element && element.getBoundingClientRect().top > window.innerHeight - VISIBLE_PX)
    element.scrollIntoView({ block: 'start' })
}

/** Announces the end of a run, scrolls to its result, and restores the focus if the focused button disappeared. */
function useToolRunEnd(
  toolRun: ToolRun | undefined,
  result: RefObject<HTMLElement | null>,
  restoreFocus: () => void,
): string {
  const last = useRef(toolRun)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    const before = last.current
    last.current = toolRun
    if (toolRun === undefined || before?.toolRunId !== toolRun.toolRunId) return
    if (before.outcome !== undefined || toolRun.outcome === undefined) return
    setAnnouncement(endMessage(toolRun))
    scrollToStart(result.current)
    if (document.activeElement === document.body) restoreFocus()
  }, [toolRun, result, restoreFocus])
  return toolRun?.outcome === undefined ? '' : announcement
}

/** Announces that the input was replaced and offers an undo; does nothing without an undo. */
export function offerUndo(undo: (() => void) | undefined): void {
  if (!undo) return
  showToast({
    message: 'Your input was replaced with the arguments of this run.',
    action: { label: 'Undo', onAct: undo },
  })
}
const NOT_SENT = 'Not sent. Secrets of this run aren’t stored, so fill them in and try again.'

/** The props that a Try it page passes to its frame. */
type ToolRunFrameProps = {
  readonly server: ServerView
  /** Label of the send button: "Call", "Read", "Render". */
  readonly verb: string
  readonly method: ToolRunRequest['method']
  /** Name or address whose history is shown; missing for all of the method. */
  readonly target?: string | undefined
  /** Builds the request from the input; undefined for invalid input, which the page then shows. */
  readonly makeRequest: () => ToolRunRequest | undefined
  readonly onSent?: (() => void) | undefined
  /** Fills in the request of an earlier run. Returns an undo if that replaces unsent input. Missing if there is nothing to fill in. */
  readonly onOpen?: ((request: ToolRunRequest) => (() => void) | undefined) | undefined
  /** Sends again when the number changes, for example after the resource changed; missing sends nothing. */
  readonly round?: number | undefined
  /** Whether the tool has a view (MCP Apps). */
  readonly hasView?: boolean
  readonly aside?: ReactNode
  readonly children?: ReactNode
}

/** Returns the shown run: the one opened or started last, else the newest. */
function useShown(props: ToolRunFrameProps): {
  readonly toolRuns: readonly ToolRun[]
  readonly toolRunId: string | undefined
  readonly show: (toolRunId: string) => void
} {
  const { server, method, target } = props
  const toolRuns = useHistory(server.installationId, method, target)
  const [opened, setOpened] = useState<string | undefined>(undefined)
  const isKnown = toolRuns.some(({ toolRunId }) => toolRunId === opened)
  // Runs of a view don't replace the shown run.
  const latest = toolRuns.find(({ isOfView }) => !isOfView)
  const newest = target === undefined ? undefined : latest?.toolRunId
  return { toolRuns, toolRunId: isKnown ? opened : newest, show: setOpened }
}

function Outcome(props: {
  readonly toolRun: ToolRun
  readonly place: RefObject<HTMLElement | null>
  readonly hasView: boolean
}): JSX.Element {
  const { toolRun, place: sectionRef, hasView } = props
  const { word: label, mark } = outcomeLabel(toolRun)
  const [, navigate] = useLocation()
  return (
    <section ref={sectionRef} className="grid min-w-0 scroll-mt-18 gap-2" aria-label="Result">
      <div className="mb-1 flex min-h-7 items-center gap-2">
        <StatusGlyph status={mark} />
        <h2>{label}</h2>
        {toolRun.durationMs !== undefined && (
          <span className="text-faint tabular-nums">{formatDuration(toolRun.durationMs)}</span>
        )}
      </div>
      <OutcomeTabs key={toolRun.toolRunId} toolRun={toolRun} hasView={hasView}>
        <ResultView
          toolRun={toolRun}
          onOpenResource={(uri) => navigate(toolRunPath(toolRun.installationId, 'resource', uri))}
        />
      </OutcomeTabs>
    </section>
  )
}

/** Sends once for each round, after the current run; does nothing without a round. */
function useRounds(round: number | undefined, isRunning: boolean, send: () => void): void {
  const last = useRef<number>(undefined)
  const sendRound = useEffectEvent(send)
  useEffect(() => {
    if (round === undefined || isRunning || last.current === round) return
    last.current = round
    sendRound()
  }, [round, isRunning])
}

/**
 * The common part of all Try it pages, around the form in `children`. Below the form are the send button with deadline, progress and
 * cancel, the server's requests, the result and the history.
 */
export function ToolRunFrame(props: ToolRunFrameProps): JSX.Element {
  const { server, verb, makeRequest, onOpen, children, aside } = props
  const { installationId } = server
  const { toolRuns, toolRunId, show } = useShown(props)
  const { toolRun, isRunning } = useToolRun(toolRunId)
  const running = isRunning ? toolRun : undefined
  const { deadlineMs: timeoutMs } = useDeadline()
  const button = useRef<HTMLButtonElement>(null)
  const [restoreFocus] = useState(() => () => button.current?.focus({ preventScroll: true }))
  const result = useRef<HTMLElement>(null)
  const announcement = useToolRunEnd(toolRun, result, restoreFocus)
  const send = (request: ToolRunRequest): void => {
    if (isRunning) return
    show(startToolRun({ installationId, request, timeoutMs }))
  }
  const sendInput = (): void => {
    const request = isRunning ? undefined : makeRequest()
    if (!request) return
    props.onSent?.()
    send(request)
  }
  useRounds(props.round, isRunning, sendInput)
  const open = (earlier: ToolRun): void => {
    show(earlier.toolRunId)
    offerUndo(onOpen?.(sentBy(earlier)))
  }
  const runAgain = (earlier: ToolRun): void => {
    if (isComplete(earlier)) {
      send(sentBy(earlier))
      return
    }
    open(earlier)
    showToast({ message: NOT_SENT, tone: 'error' })
  }
  const copy = (): void => {
    const request = makeRequest()
    if (request) copyText(asJsonRpc(request), 'Copied the request.')
  }
  const keys = toolRunKeys({
    run: () => {
      commitField(restoreFocus)
      sendInput()
    },
    cancel: isRunning && toolRunId !== undefined ? () => cancelToolRun(toolRunId) : undefined,
  })
  return (
    // A flex box, because sticky elements in a grid stay within their row.
    <div className="tool-run-frame flex max-w-page min-w-0 flex-col gap-4 *:min-w-0" {...keys}>
      <NotRunning server={server} verb={verb} />
      {children}
      <div className="tool-run-foot sticky bottom-0 z-2 -mb-3 grid gap-2 border-t border-line bg-surface py-3">
        {aside}
        <ToolRunBar
          verb={verb}
          running={running}
          buttonRef={button}
          onRun={sendInput}
          more={
            <Button size="form" variant="quiet" icon={Copy} onClick={copy}>
              Copy as JSON-RPC
            </Button>
          }
        />
        {running && <ToolRunProgressBar key={toolRunId} toolRun={running} />}
      </div>
      {running && (
        <InlineRequest key={toolRunId} toolRunId={running.toolRunId} onOver={restoreFocus} />
      )}
      <p role="status" className="sr-only" aria-label="Outcome">
        {announcement}
      </p>
      {toolRun?.outcome && (
        <Outcome toolRun={toolRun} place={result} hasView={props.hasView === true} />
      )}
      <ToolRunHistoryList
        installationId={installationId}
        toolRuns={toolRuns}
        shownId={toolRunId}
        onOpen={open}
        onRunAgain={runAgain}
      />
    </div>
  )
}

/** Whether a key event comes from the page itself, not from a dialog over it. */
function isFromPage(event: KeyboardEvent): boolean {
  return event.currentTarget.contains(event.target as Node)
}

/** Blurs the field before sending, because some input is committed on blur, such as the name of a member. */
function commitField(restoreFocus: () => void): void {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLInputElement)) return
  flushSync(() => activeElement.blur())
  if (activeElement.isConnected) activeElement.focus({ preventScroll: true })
  else restoreFocus()
}

/** Returns key handlers: Ctrl+Enter sends, even if a field uses Enter; Escape cancels the run unless a field uses it. */
function toolRunKeys(actions: {
  readonly run: () => void
  readonly cancel: (() => void) | undefined
}): {
  readonly onKeyDownCapture: (event: KeyboardEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
} {
  return {
    onKeyDownCapture: (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isFromPage(event)) return
      event.preventDefault()
      event.stopPropagation()
      actions.run()
    },
    onKeyDown: (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !isFromPage(event)) return
      if (actions.cancel === undefined) return
      event.preventDefault()
      actions.cancel()
    },
  }
}

type Tab = 'result' | 'view'

const TABS: { value: Tab; label: string }[] = [
  { value: 'result', label: 'Result' },
  { value: 'view', label: 'View' },
]

const LazyView = lazyComponent(
  async () => (await import('./view/tool-view')).ToolView,
  <Skeleton label="Loading view" rows={2} />,
)

/** The result of a run, and the tool's view if it has one. An open view stays open while the result is shown. */
function OutcomeTabs(props: {
  readonly toolRun: ToolRun
  readonly hasView: boolean
  readonly children: ReactNode
}): JSX.Element {
  const { toolRun, hasView, children } = props
  const [tab, setTab] = useState<Tab>('result')
  const [isOpen, setIsOpen] = useState(false)
  const tabs = useRef<HTMLDivElement>(null)
  if (!hasView || toolRun.outcome?.kind !== 'result') return <>{children}</>
  const choose = (next: Tab): void => {
    setTab(next)
    if (next === 'view') setIsOpen(true)
  }
  const close = (): void => {
    setTab('result')
    setIsOpen(false)
    // The focused button is gone.
    tabs.current?.querySelector<HTMLElement>('[role="radio"]')?.focus()
  }
  return (
    <>
      <div ref={tabs}>
        <Segmented label="Outcome" value={tab} onValueChange={choose} options={TABS} />
      </div>
      <div hidden={tab !== 'result'}>{children}</div>
      {isOpen && (
        <div className="grid min-w-0 gap-3 *:min-w-0" hidden={tab !== 'view'}>
          <LazyView toolRun={toolRun} onClose={close} />
        </div>
      )}
    </>
  )
}

/** The server's request during a run of the user, shown in the page instead of a dialog. */
function InlineRequest(props: {
  readonly toolRunId: string
  readonly onOver: () => void
}): ReactElement | null {
  const { toolRunId, onOver: onEnded } = props
  const [request] = useRequestsOf(toolRunId)
  useEffect(() => showInline(toolRunId), [toolRunId])
  const hasRequest = request !== undefined
  const hadRequest = useRef(false)
  const end = useEffectEvent(onEnded)
  useEffect(() => {
    if (hadRequest.current && !hasRequest && document.activeElement === document.body) end()
    hadRequest.current = hasRequest
  }, [hasRequest])
  if (request === undefined) return null
  const { requestId: key } = request
  return (
    <InPage value>
      {isOfKind(request, 'form') && <FormRequest key={key} request={request} />}
      {isOfKind(request, 'page') && <PageRequest key={key} request={request} />}
    </InPage>
  )
}
