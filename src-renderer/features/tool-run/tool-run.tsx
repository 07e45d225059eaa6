import { TriangleAlert } from 'lucide-react'
import type { JSX } from 'react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'wouter'

import type { ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import type { ToolDetail, ToolView } from '../../../src-shared/domain/agents/tools'
import { viewUriOf } from '../../../src-shared/domain/agents/view'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { isJsonObject } from '../../components/schema-form/reading/json-object'
import { EXPOSURE_LABEL, exposureMessage } from '../../components/tool/tool-messages'
import { NATURE_SENTENCE, naturesOf } from '../../components/tool/tool-nature'
import { takeArguments } from '../../components/tool-run/passed-arguments'
import { offerUndo, ToolRunFrame } from '../../components/tool-run/tool-run-frame'
import { toolRunPlace } from '../../components/tool-run/tool-run-place'
import { useRequest } from '../../ipc/use-request'
import { useTools } from '../../stores/tools-store'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { Tag } from '../../ui/marks/tag'
import { PlainText } from '../../ui/text/plain-text'
import { shortText } from '../../ui/text/visible-text'
import { ToolForm } from './tool-form'
import { useToolArguments } from './use-tool-arguments'

/** What a person should know before the call. */
function Cares({ detail }: { readonly detail: ToolDetail }): JSX.Element {
  const { installationId, name } = detail.view
  const { tools } = useTools()
  const isThis = (one: ToolView): boolean =>
    one.installationId === installationId && one.name === name
  const view = tools?.find(isThis) ?? detail.view
  const hasView = viewUriOf(detail.tool) !== undefined
  const isDestructive = naturesOf(view.annotations).includes('destructive')
  return (
    <div className="gapless stack gap-1">
      {isDestructive && (
        <p className="row wrap gap-2 soft">
          <TriangleAlert className="icon tone is-degraded" aria-hidden />
          {`${NATURE_SENTENCE.destructive} Calls are real, not a simulation.`}
        </p>
      )}
      {hasView && <p className="soft">This tool has an interactive view.</p>}
      {view.exposure !== 'exposed' && (
        <p className="row wrap gap-2 soft">
          <Tag>{EXPOSURE_LABEL[view.exposure]}</Tag>
          {`${exposureMessage(view)} You can still try it.`}
        </p>
      )}
    </div>
  )
}

function focusFirstProblem(root: HTMLElement | null): void {
  const faulty = root?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const first = faulty?.matches('input, textarea, select')
    ? faulty
    : faulty?.querySelector<HTMLElement>('input, textarea, select, [role="radio"]')
  first?.focus()
}

function Tried({
  server,
  detail,
}: {
  readonly server: ServerView
  readonly detail: ToolDetail
}): JSX.Element {
  const { installationId } = server
  const { name, title, description, inputSchema } = detail.tool
  const [, navigate] = useLocation()
  const args = useToolArguments({ installationId, name }, inputSchema)
  const root = useRef<HTMLDivElement>(null)
  /** Whether the next drawing follows a call that was held back. */
  const isHeldBack = useRef(false)
  useEffect(() => {
    if (isHeldBack.current) focusFirstProblem(root.current)
    isHeldBack.current = false
  })
  const fillPassed = useEffectEvent(() => {
    const passed = takeArguments(installationId, name)
    if (passed) offerUndo(args.fill(passed))
  })
  useEffect(() => fillPassed(), [])
  const makeRequest = (): ToolRunRequest | undefined => {
    const taken = args.take()
    isHeldBack.current = taken === undefined
    return taken && { method: 'tools/call', params: { name, arguments: taken } }
  }
  const open = ({ params }: ToolRunRequest): (() => void) | undefined =>
    args.fill(isJsonObject(params.arguments) ? params.arguments : {})
  return (
    <div className="column slim-parts stack gap-3 slim" ref={root}>
      {title !== undefined && title !== name && <p className="medium ink">{shortText(title)}</p>}
      {description !== undefined && <PlainText text={description} />}
      <ToolRunFrame
        server={server}
        verb="Call"
        method="tools/call"
        target={name}
        makeRequest={makeRequest}
        onSent={args.sent}
        onOpen={open}
        onOpenResource={(uri) => navigate(toolRunPlace(installationId, 'resource', uri))}
        hasView={viewUriOf(detail.tool) !== undefined}
        aside={<Cares detail={detail} />}
      >
        <ToolForm args={args} />
      </ToolRunFrame>
    </div>
  )
}

/** Tries a tool of a server: a form by its schema, the call, its result and what was tried before. */
export function ToolToolRun({
  server,
  name,
}: {
  readonly server: ServerView
  readonly name: string
}): JSX.Element {
  const { installationId, listing } = server
  // The last definition stays while another is read, so that nothing on the page goes meanwhile.
  const { value, problem, retry } = useRequest(
    'tools.read',
    { installationId, name },
    { state: [listing] },
  )
  if (problem)
    return <ProblemState title="Can’t load this tool" problem={problem} onRetry={retry} />
  if (!value) return <Skeleton label="Loading tool" rows={3} />
  return <Tried key={value.view.hash} server={server} detail={value} />
}
