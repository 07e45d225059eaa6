import type { JSX } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type { OpenedView, ViewDomains } from '../../../../src-shared/domain/agents/view'
import { Button } from '../../../ui/controls/button'
import { Banner } from '../../../ui/layout/banner'
import { visibleText } from '../../../ui/text/visible-text'
import { useWishes } from './use-wishes'
import { HEIGHT, type OpenView, openView } from './view-host'
import { ViewWishDialog } from './view-wish-dialog'

/** How long a view may take to start, in ms. */
const START_MS = 10_000
const MOST_LINES = 50

/** `unloaded`: not even the frame came, which is the browser's fault. */
type Phase = 'loading' | 'ready' | 'started' | 'mute' | 'unloaded' | 'left'

const PROBLEM: Partial<Record<Phase, string>> = {
  mute: 'The view didn’t start. Result shows the same data as text.',
  unloaded:
    'This browser can’t open views. Use Chrome, Edge or Firefox, or the desktop app. Result shows the same data as text.',
  left: 'The view tried to open another page. That was blocked, and the view was closed.',
}

const LATE: Partial<Record<Phase, Phase>> = { loading: 'unloaded', ready: 'mute' }

/** A view in its frame, with what it wants and logs. */
export function ViewFrame({
  opened,
  toolRun,
  domains,
  onClose,
}: {
  readonly opened: OpenedView
  readonly toolRun: ToolRun
  readonly domains: ViewDomains
  readonly onClose: () => void
}): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null)
  const view = useRef<OpenView>(undefined)
  const [phase, setPhase] = useState<Phase>('loading')
  const [height, setHeight] = useState<number>(HEIGHT.usual)
  const [lines, setLines] = useState<readonly string[]>([])
  const { wishes, wish } = useWishes()
  const open = useEffectEvent((element: HTMLIFrameElement) =>
    openView(
      element,
      opened,
      { toolRun, domains },
      {
        onFrame: (state) =>
          setPhase((now) => (state === 'left' ? 'left' : now === 'loading' ? 'ready' : now)),
        onStarted: () => setPhase((now) => (now === 'left' ? now : 'started')),
        onHeight: setHeight,
        onLog: (line) => setLines((before) => [...before, line].slice(-MOST_LINES)),
        ask: wishes.ask,
      },
    ),
  )
  useEffect(() => {
    if (!frame.current) return undefined
    const held = open(frame.current)
    view.current = held
    const late = setTimeout(() => setPhase((now) => LATE[now] ?? now), START_MS)
    return () => {
      clearTimeout(late)
      wishes.end()
      void held.close()
    }
  }, [wishes])
  const close = async (): Promise<void> => {
    wishes.end()
    await view.current?.close()
    onClose()
  }
  const problem = PROBLEM[phase]
  return (
    <>
      {problem !== undefined && <Banner severity="warn">{problem}</Banner>}
      {phase !== 'left' && (
        <iframe
          ref={frame}
          className="view-frame bounded box"
          title="View"
          sandbox="allow-scripts allow-same-origin allow-forms"
          referrerPolicy="no-referrer"
          style={{ height }}
          hidden={phase === 'mute' || phase === 'unloaded'}
        />
      )}
      <div className="row gap-2">
        <Button size="small" onClick={() => void close()}>
          Close view
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
      {wish && <ViewWishDialog {...{ wish: wish as never, onDecide: wishes.decide }} />}
    </>
  )
}
