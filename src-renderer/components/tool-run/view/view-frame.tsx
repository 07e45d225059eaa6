import type { JSX } from 'react'
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'

import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { visibleText } from '../../../ui/text/visible-text'
import { ApprovalDialog } from './approval-dialog'
import { useApprovals } from './use-approvals'
import { type AgreedView, HEIGHT, type ShownView, showView } from './view-host'

/** How long a view may take to start, in ms. */
const START_MS = 10_000
const MOST_LINES = 50

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
  const { approvals, pending } = useApprovals()
  const show = useEffectEvent((element: HTMLIFrameElement) =>
    showView(element, view, {
      onFrame: (state) => {
        if (state !== 'ready') approvals.denyAll()
        dispatch(state)
      },
      onStarted: () => dispatch('started'),
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
  const close = async (): Promise<void> => {
    setIsClosing(true)
    approvals.denyAll()
    await shown.current?.close()
    onClose()
  }
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
