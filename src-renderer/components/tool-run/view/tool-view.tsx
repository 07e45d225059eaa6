import { type JSX, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'

import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { ViewInfo } from '../../../../src-shared/domain/installation/view'
import { toErrorShape } from '../../../ipc/call'
import { useRequest } from '../../../ipc/use-request'
import { Button } from '../../../ui/controls/button'
import { Banner, Skeleton } from '../../../ui/layout/page'
import { ProblemState } from '../../../ui/layout/problem-state'
import { Dialog } from '../../../ui/overlays/dialog'
import { OpenLinkDialog } from '../../../ui/overlays/external-link'
import { shortText, visibleText } from '../../../ui/text/untrusted-text'
import { LongText } from '../../json/long-text'
import { type Decision, useApprovals, type ViewAction } from './use-approvals'
import { type AgreedView, HEIGHT, type ShownView, showView } from './view-host'

/** Time in which clicks in a new dialog are ignored, in ms: the view decides when the dialog opens. */
const GUARD_MS = 500

function CallDialog(props: {
  readonly action: Extract<ViewAction, { kind: 'call' }>
  readonly isGuarded: boolean
  readonly onDecide: (decision: Decision) => void
}): JSX.Element {
  const { action, isGuarded, onDecide } = props
  const deny = (): void => onDecide('deny')
  return (
    <Dialog
      comesUnasked
      onClose={deny}
      title={`Allow the view to call ${shortText(action.name)}?`}
      description="The view sends exactly these arguments. This tool may change data."
      actions={
        <>
          <Button size="form" onClick={deny}>
            Deny
          </Button>
          <Button size="form" disabled={isGuarded} onClick={() => onDecide('view')}>
            Allow for this view
          </Button>
          <Button
            size="form"
            variant="primary"
            disabled={isGuarded}
            onClick={() => onDecide('once')}
          >
            Allow once
          </Button>
        </>
      }
    >
      <div className="mt-2">
        <LongText text={JSON.stringify(action.args, null, 2)} label="Arguments" />
      </div>
    </Dialog>
  )
}

function ApprovalDialog(props: {
  readonly action: ViewAction
  readonly onDecide: (decision: Decision) => void
}): JSX.Element {
  const { action, onDecide } = props
  const [isGuarded, setIsGuarded] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsGuarded(false), GUARD_MS)
    return () => clearTimeout(timer)
  }, [])
  return action.kind === 'call' ? (
    <CallDialog {...{ action, isGuarded, onDecide }} />
  ) : (
    <OpenLinkDialog
      comesUnasked
      url={action.url}
      writer="The view"
      isGuarded={isGuarded}
      onClose={() => onDecide('deny')}
      onOpen={() => onDecide('once')}
    />
  )
}

/** Maximum start time of a view, in ms. */
const START_MS = 10_000
const MAX_LINES = 50
/** Interval of the checks for blocked requests, in ms. */
const BLOCKED_MS = 2_000

/** `unloaded`: even the frame around the view didn't load, because the browser doesn't support it. */
type Phase = 'loading' | 'ready' | 'started' | 'mute' | 'unloaded' | 'left' | 'flooded'

const PROBLEM: Partial<Record<Phase, string>> = {
  mute: 'The view didn’t start. Result shows the same data as text.',
  unloaded:
    'This browser can’t open views. Use Chrome, Edge or Firefox, or the desktop app. Result shows the same data as text.',
  left: 'The view tried to open another page. That was blocked, and the view was closed.',
  flooded: 'The view sent too many messages and was closed. Result shows the same data as text.',
}

const hasEnded = (phase: Phase): boolean => phase === 'left' || phase === 'flooded'

function nextPhase(current: Phase, event: Phase | 'late'): Phase {
  if (hasEnded(current)) return current
  if (event === 'ready') return current === 'loading' ? 'ready' : current
  if (event !== 'late') return event
  if (current === 'loading') return 'unloaded'
  return current === 'ready' ? 'mute' : current
}

function BlockedHosts({ viewId }: { readonly viewId: string }): JSX.Element | null {
  const { value: hosts = [] } = useRequest('view.blocked', { viewId }, { pollMs: BLOCKED_MS })
  if (hosts.length === 0) return null
  return (
    <Banner severity="warn">
      {`The view asked for addresses it didn’t declare: ${visibleText(hosts.join(', '))}. They were blocked.`}
    </Banner>
  )
}

function ViewFrame(props: {
  readonly view: AgreedView
  readonly onFailed: (thrown: unknown) => void
  readonly onClose: () => void
}): JSX.Element {
  const { view, onFailed, onClose } = props
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
      onLog: (line) => setLines((before) => [...before, line].slice(-MAX_LINES)),
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
      {!hasEnded(phase) && (
        <iframe
          ref={frame}
          className="w-full rounded-lg border border-line"
          title="View"
          sandbox="allow-scripts allow-same-origin allow-forms"
          referrerPolicy="no-referrer"
          style={{ height }}
          hidden={phase === 'mute' || phase === 'unloaded'}
        />
      )}
      {viewId !== undefined && <BlockedHosts viewId={viewId} />}
      <div className="flex items-center gap-2">
        <Button size="small" busy={isClosing} onClick={() => void close()}>
          {hasEnded(phase) ? 'Show result' : 'Close view'}
        </Button>
      </div>
      {lines.length > 0 && (
        <details className="text-muted">
          <summary>{`Log of the view (${lines.length})`}</summary>
          <LongText text={lines.join('\n')} label="Log of the view" />
        </details>
      )}
      {pending && (
        <ApprovalDialog key={pending.id} action={pending.action} onDecide={approvals.decide} />
      )}
    </>
  )
}

const list = new Intl.ListFormat('en-US')

function loadsFrom({ domains }: ViewInfo): string {
  const sources = [...domains.resource, ...domains.connect, ...domains.frame]
  const hosts = [...new Set(sources.map((one) => one.replace(/^https:\/\//u, '')))]
  return hosts.length > 0
    ? `It can load from ${list.format(hosts)} and call this server’s tools.`
    : 'It loads nothing from the internet and can call this server’s tools.'
}

/** The view of a run's tool, shown after the user agrees. */
export function ToolView(props: {
  readonly toolRun: ToolRun
  readonly onClose: () => void
}): JSX.Element {
  const { toolRun, onClose } = props
  const { installationId, request } = toolRun
  const name = String(request.params.name)
  const { loaded, retry } = useRequest('view.read', { installationId, name })
  const [consent, setConsent] = useState<{ readonly remembers: boolean }>()
  const [failure, setFailure] = useState<AppErrorShape>()
  if (loaded.kind === 'loading') return <Skeleton label="Loading view" rows={2} />
  const reload = (): void => {
    setFailure(undefined)
    setConsent(undefined)
    retry()
  }
  if (loaded.kind === 'failed')
    return <ProblemState title="Can’t show this view" problem={loaded.problem} onRetry={reload} />
  if (failure)
    return <ProblemState title="Can’t show this view" problem={failure} onRetry={reload} />
  const info = loaded.value
  if (!consent && !info.isAllowed)
    return (
      <section className="grid gap-2 rounded-lg border border-line p-3" aria-label="Show the view?">
        <p className="text-pretty wrap-anywhere">
          {`This server can show an interactive view. ${visibleText(loadsFrom(info))}`}
        </p>
        {info.ignored.length > 0 && (
          <p className="text-pretty wrap-anywhere text-muted">
            {`Ignored because they aren’t https or wss addresses of other computers: ${visibleText(info.ignored.join(', '))}`}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" size="form" onClick={() => setConsent({ remembers: false })}>
            Show view
          </Button>
          <Button size="form" onClick={() => setConsent({ remembers: true })}>
            Always for this server
          </Button>
        </div>
      </section>
    )
  return (
    <ViewFrame
      view={{ toolRun, domains: info.domains, remembers: consent?.remembers === true }}
      onFailed={(thrown) => setFailure(toErrorShape(thrown))}
      onClose={onClose}
    />
  )
}
