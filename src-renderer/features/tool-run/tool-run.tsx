import { TriangleAlert } from 'lucide-react'
import {
  Component,
  type JSX,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'

import type { ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import type { ToolDetail } from '../../../src-shared/domain/agents/tools'
import { viewUriOf } from '../../../src-shared/domain/installation/view'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { ValueProblem } from '../../components/schema-form/checking/problem-messages'
import { SchemaForm } from '../../components/schema-form/schema-form'
import { useListedTools } from '../../components/tool/list/list-groups'
import { ToolDetailSheet } from '../../components/tool/list/tool-detail'
import {
  EXPOSURE_LABEL,
  exposureMessage,
  NATURE_MESSAGE,
  naturesOf,
} from '../../components/tool/tool-messages'
import { consumeArguments } from '../../components/tool-run/passed-arguments'
import { offerUndo, ToolRunFrame } from '../../components/tool-run/tool-run-frame'
import { useRequest } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { Tabs } from '../../ui/controls/tabs'
import { CodeArea, Field, ProblemText, WarnText } from '../../ui/fields/field'
import { Banner, BlankState, Skeleton } from '../../ui/layout/page'
import { ProblemState } from '../../ui/layout/problem-state'
import { Tag } from '../../ui/marks/tag'
import { counted } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'
import { shortText, visibleText } from '../../ui/text/untrusted-text'
import { type ToolArguments, useToolArguments } from './use-tool-arguments'

const NAMED = 5

function problemText({ path, message }: ValueProblem): string {
  return path.length === 0 ? message : `${visibleText(path.join('.'))}: ${message}`
}

/** All problems in one place, including those of values without a field. */
function ArgumentProblems(props: {
  readonly problems: readonly ValueProblem[]
  readonly isHeldBack: boolean
}): JSX.Element | null {
  const { problems, isHeldBack: isRejected } = props
  if (problems.length === 0) return null
  const named = problems.slice(0, NAMED).map(problemText).join(' ')
  const remaining = problems.length - NAMED
  const more = remaining > 0 ? ` ${counted(remaining, 'more problem')}.` : ''
  return isRejected ? (
    <ProblemText>{`Not sent. ${named}${more} To send it anyway, use the JSON tab.`}</ProblemText>
  ) : (
    <WarnText>{`Doesn’t match the tool’s schema: ${named}${more}`}</WarnText>
  )
}

const TABS = [
  { id: 'form', label: 'Form' },
  { id: 'json', label: 'JSON' },
] as const

function JsonArguments({ args }: { readonly args: ToolArguments }): JSX.Element {
  const id = useId()
  const { text, fault, changeText } = args
  return (
    <Field id={id} label="Arguments as JSON" problem={fault}>
      {(ids) => <CodeArea {...ids} rows={10} value={text} onValueChange={changeText} />}
    </Field>
  )
}

function FieldArguments({ args }: { readonly args: ToolArguments }): JSX.Element {
  const { model, start, edition, problems, changeForm, changeTab } = args
  if (model.kind === 'none') return <p className="text-muted">This tool has no arguments.</p>
  if (model.kind === 'raw') return <p className="text-muted">{model.why}</p>
  return (
    <FormBoundary key={edition} onJson={() => changeTab('json')}>
      <SchemaForm schema={model.schema} start={start} problems={problems} onChange={changeForm} />
    </FormBoundary>
  )
}

function ToolForm({ args }: { readonly args: ToolArguments }): JSX.Element {
  const { model, tab, problems, isChecked, fault, changeTab } = args
  return (
    <div className="tool-form grid min-w-0 gap-3 *:min-w-0">
      {model.kind === 'raw' && <Banner severity="info">{model.why}</Banner>}
      <Tabs
        label="Argument input mode"
        value={tab}
        tabs={model.kind === 'raw' ? TABS.slice(1) : TABS}
        onChange={changeTab}
      >
        {tab === 'json' ? <JsonArguments args={args} /> : <FieldArguments args={args} />}
      </Tabs>
      <ArgumentProblems problems={problems} isHeldBack={tab === 'form'} />
      {!isChecked && fault === undefined && (
        <p className="text-small text-muted" role="status">
          The server checks the rest of the schema.
        </p>
      )}
    </div>
  )
}

type Props = { readonly children: ReactNode; readonly onJson: () => void }

/** Replaces a form that fails to render; the arguments can be edited as JSON. */
class FormBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <BlankState
        art="cut"
        title="Can’t show this form"
        message="The tool’s schema isn’t supported. Edit the arguments as JSON instead."
        action={<Button onClick={this.props.onJson}>Edit as JSON</Button>}
      />
    )
  }
}

function focusFirstProblem(root: HTMLElement | null): void {
  const faulty = root?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const first = faulty?.matches('input, textarea, select')
    ? faulty
    : faulty?.querySelector<HTMLElement>('input, textarea, select, [role="radio"]')
  first?.focus()
}

function Tried(props: { readonly server: ServerView; readonly detail: ToolDetail }): JSX.Element {
  const { server, detail } = props
  const { installationId } = server
  const { name, title, description, inputSchema } = detail.tool
  const { all } = useListedTools(installationId)
  const [isDetail, setIsDetail] = useState(false)
  const listed = all.find(({ tool }) => tool.name === name)
  const args = useToolArguments({ installationId, name }, inputSchema)
  const root = useRef<HTMLDivElement>(null)
  /** Whether the next render follows a rejected call. */
  const isRejected = useRef(false)
  useEffect(() => {
    if (isRejected.current) focusFirstProblem(root.current)
    isRejected.current = false
  })
  const fillPassed = useEffectEvent(() => {
    const passed = consumeArguments(installationId, name)
    if (passed) offerUndo(args.fill(passed))
  })
  useEffect(() => fillPassed(), [])
  const makeRequest = (): ToolRunRequest | undefined => {
    const toSend = args.take()
    isRejected.current = toSend === undefined
    return toSend && { method: 'tools/call', params: { name, arguments: toSend } }
  }
  const open = ({ params }: ToolRunRequest): (() => void) | undefined =>
    args.fill(isJsonObject(params.arguments) ? params.arguments : {})
  const view = listed?.tool ?? detail.view
  const hasView = viewUriOf(detail.tool) !== undefined
  const isDestructive = naturesOf(view.annotations).includes('destructive')
  return (
    <div className="grid max-w-page min-w-0 gap-3 *:min-w-0" ref={root}>
      {title !== undefined && title !== name && (
        <p className="font-medium text-foreground">{shortText(title)}</p>
      )}
      <div className="flex items-start justify-between gap-3">
        {description !== undefined && <PlainText text={description} />}
        {listed && (
          <Button size="small" variant="quiet" onClick={() => setIsDetail(true)}>
            Details
          </Button>
        )}
      </div>
      {isDetail && listed && (
        <ToolDetailSheet listed={listed} all={all} onClose={() => setIsDetail(false)} />
      )}
      <ToolRunFrame
        server={server}
        verb="Call"
        method="tools/call"
        target={name}
        makeRequest={makeRequest}
        onSent={args.sent}
        onOpen={open}
        hasView={hasView}
        aside={
          <div className="gapless grid gap-1">
            {isDestructive && (
              <p className="flex flex-wrap items-center gap-2 text-muted">
                <TriangleAlert className="icon is-degraded text-status" aria-hidden />
                {`${NATURE_MESSAGE.destructive} Calls are real, not a simulation.`}
              </p>
            )}
            {hasView && <p className="text-muted">This tool has an interactive view.</p>}
            {view.exposure !== 'exposed' && (
              <p className="flex flex-wrap items-center gap-2 text-muted">
                <Tag>{EXPOSURE_LABEL[view.exposure]}</Tag>
                {`${exposureMessage(view)} You can still try it.`}
              </p>
            )}
          </div>
        }
      >
        <ToolForm args={args} />
      </ToolRunFrame>
    </div>
  )
}

/** Try it for a tool: a form for its schema, the call, its result and the history. */
export function TryTool(props: {
  readonly server: ServerView
  readonly name: string
}): JSX.Element {
  const { server, name } = props
  const { installationId, listing } = server
  // The last definition stays while another is loading, so that nothing on the page disappears.
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
