import type { JSX } from 'react'
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'

import { useRequest } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { visibleText } from '../../../ui/text/visible-text'
import { ApprovalDialog } from './approval-dialog'
import { useApprovals } from './use-approvals'
import { type AgreedView, HEIGHT, type ShownView, showView } from './view-host'

/** How long a view may take to start, in ms. */
const START_MS = 10_000
const MOST_LINES = 50
/** How often it is asked what was blocked, in ms. */
const BLOCKED_MS = 2_000

/** `unloaded`: not even the frame around the view loaded, which is the browser’s fault. */
type Phase = 'loading' | 'ready' | 'started' | 'mute' | 'unloaded' | 'left' | 'flooded'

const PROBLEM: Partial<Record<Phase, string>> = {
  mute: 'The view didn’t start. Result shows the same data as text.',
  unloaded:
    'This browser can’t open views. Use Chrome, Edge or Firefox, or the desktop app. Result shows the same data as text.',
  left: 'The view tried to open another page. That was blocked, and the view was closed.',
  flooded: 'The view sent too many messages and was closed. Result shows the same data as text.',
}

const isOver = (phase: Phase): boolean => phase === 'left' || phase === 'flooded'

/** The phase after something happened; the first fault of a view closes it for good. */
function nextPhase(now: Phase, event: Phase | 'late'): Phase {
  if (isOver(now)) return now
  if (event === 'ready') return now === 'loading' ? 'ready' : now
  if (event !== 'late') return event
  if (now === 'loading') return 'unloaded'
  return now === 'ready' ? 'mute' : now
}

/** Says which addresses the view asked for without having declared them. */
function BlockedHosts({ viewId }: { readonly viewId: string }): JSX.Element | null {
  const { value: hosts = [] } = useRequest('view.blocked', { viewId }, { everyMs: BLOCKED_MS })
  if (hosts.length === 0) return null
  return (
    <Banner severity="warn">
      {`The view asked for addresses it didn’t declare: ${visibleText(hosts.join(', '))}. They were blocked.`}
    </Banner>
  )
}

/** A view in its frame, with its approvals and its log. */
export function ViewFrame({
  view,
  onFailed,
  onClose,
}: {
  readonly view: AgreedView
  readonly onFailed: (thrown: unknown) => void
  readonly onClose: () => void
}): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null)
  const shown = useRef<ShownView>(undefined)
  const [phase, dispatch] = useReducer(nextPhase, 'loading')
  const [height, setHeight] = useState<number>(HEIGHT.usual)
  const [lines, setLines] = useState<readonly string[]>([])
  const [isClosing, setIsClosing] = useState(false)
  const [viewId, setViewId] = useState<string>()
  const { approvals, pending } = useApprovals()
  const close = async (): Promise<void> => {
    setIsClosing(true)
    approvals.denyAll()
    await shown.current?.close()
    onClose()
  }
  const show = useEffectEvent((element: HTMLIFrameElement) =>
    showView(element, view, {
      onFrame: (state) => {
        if (state !== 'ready') approvals.denyAll()
        dispatch(state)
      },
      onOpened: setViewId,
      onStarted: () => dispatch('started'),
      onCloseWanted: () => void close(),
      onFailed,
      onHeight: setHeight,
      onLog: (line) => setLines((before) => [...before, line].slice(-MOST_LINES)),
      approve: approvals.request,
    }),
  )
  useEffect(() => {
    if (!frame.current) return undefined
    const opened = show(frame.current)
    shown.current = opened
    const timer = setTimeout(() => dispatch('late'), START_MS)
    return () => {
      clearTimeout(timer)
      approvals.denyAll()
      void opened.close()
    }
  }, [approvals])
  const problem = PROBLEM[phase]
  return (
    <>
      {problem !== undefined && <Banner severity="warn">{problem}</Banner>}
      {!isOver(phase) && (
        <iframe
          ref={frame}
          className="view-frame box"
          title="View"
          sandbox="allow-scripts allow-same-origin allow-forms"
          referrerPolicy="no-referrer"
          style={{ height }}
          hidden={phase === 'mute' || phase === 'unloaded'}
        />
      )}
      {viewId !== undefined && <BlockedHosts viewId={viewId} />}
      <div className="row gap-2">
        <Button size="small" busy={isClosing} onClick={() => void close()}>
          {isOver(phase) ? 'Show result' : 'Close view'}
        </Button>
      </div>
      {lines.length > 0 && (
        <details className="soft">
          <summary>{`Log of the view (${lines.length})`}</summary>
          <pre className="view-arguments scroll break" tabIndex={0} aria-label="Log of the view">
            {visibleText(lines.join('\n'))}
          </pre>
        </details>
      )}
      {pending && (
        <ApprovalDialog key={pending.id} action={pending.action} onDecide={approvals.decide} />
      )}
    </>
  )
}
