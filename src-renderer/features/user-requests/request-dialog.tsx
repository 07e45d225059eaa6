import '../../components/user-request/user-requests.css'

import { Check, Copy } from 'lucide-react'
import { type ReactElement, type RefCallback, useEffect, useId, useRef, useState } from 'react'

import type { UserRequest, UserRequestAnswer } from '../../../src-shared/domain/agents/user-request'
import { ArgumentList, useUnread } from '../../components/user-request/argument-list'
import { FormRequest, PageRequest } from '../../components/user-request/form-request'
import { RequestFrame, TimeLeft, useAnswering } from '../../components/user-request/request-frame'
import {
  deniedIn,
  isOfKind,
  type RequestOf,
  requestTitle,
  showRequests,
  useQueuedRequests,
  useServerName,
  useShownRequest,
  watchRequests,
} from '../../components/user-request/user-request-store'
import { call } from '../../ipc/call'
import { useNow } from '../../stores/app-store'
import { Button, IconButton } from '../../ui/controls/button'
import { Select } from '../../ui/controls/choice'
import { Banner } from '../../ui/layout/page'
import { isTyping } from '../../ui/marks/shortcuts'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { isCovered } from '../../ui/overlays/dialog'
import { counted } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'
import { OtherCalls } from './other-calls'

/** Whether no overlay is open and the user is not typing. */
function mayOpen(): boolean {
  return !isCovered() && !isTyping(document.activeElement)
}

/** The dialog of the current request, over any page; opens automatically only if that interrupts nobody. */
export function RequestDialog(): ReactElement | null {
  useEffect(() => watchRequests(mayOpen), [])
  const request = useShownRequest()
  if (request === undefined) return null
  const { requestId: key } = request
  if (isOfKind(request, 'form')) return <FormRequest key={key} request={request} />
  if (isOfKind(request, 'page')) return <PageRequest key={key} request={request} />
  return isOfKind(request, 'call') ? <CallApproval key={key} request={request} /> : null
}

const COPIED_MS = 2_000
const LABELS = {
  ready: 'Copy arguments',
  copied: 'Arguments copied',
  failed: 'Can’t copy the arguments',
} as const

/** Copies the arguments of a call as JSON. Confirms inside the dialog, because a toast would wait until the dialog closes. */
function CopyArguments(props: {
  readonly requestId: string
  readonly isResting: boolean
}): ReactElement {
  const { requestId, isResting } = props
  const [copyState, setCopyState] = useState<keyof typeof LABELS>('ready')
  useEffect(() => {
    if (copyState === 'ready') return undefined
    const timer = setTimeout(() => setCopyState('ready'), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copyState])
  const copy = async (): Promise<void> => {
    const { text } = await call('userRequest.argument', { requestId })
    await navigator.clipboard.writeText(text)
  }
  return (
    <IconButton
      small
      icon={copyState === 'copied' ? Check : Copy}
      label={LABELS[copyState]}
      disabled={isResting}
      onClick={() =>
        void copy().then(
          () => setCopyState('copied'),
          () => setCopyState('failed'),
        )
      }
    />
  )
}

type Allow = Extract<UserRequestAnswer, { kind: 'allow' }>
type Scope = Allow['scope']
type Target = NonNullable<Allow['target']>
type Choice = { readonly scope: Scope; readonly target: Target }

const SCOPES: readonly { readonly scope: Scope; readonly label: string; readonly until: string }[] =
  [
    { scope: 'once', label: 'Once', until: 'This call only' },
    { scope: 'session', label: 'This session', until: 'Until Patchbay quits' },
    { scope: 'always', label: 'Always', until: 'Until you revoke it' },
  ]
const BUTTONS: Readonly<Record<Scope, string>> = {
  once: 'Allow once',
  session: 'Allow for this session',
  always: 'Always allow',
}

function Scopes(props: {
  readonly request: RequestOf<'call'>
  readonly allow: Choice
  /** Whether an argument was not opened in full, so that the call can only be allowed once. */
  readonly isUnread: boolean
  readonly onChange: (allow: Choice) => void
}): ReactElement {
  const { request, allow, isUnread, onChange } = props
  const id = useId()
  const server = useServerName()(request)
  const agent = request.agent === undefined ? 'the agent' : visibleText(request.agent)
  const targets: { value: Target; label: string }[] = [
    { value: 'tool', label: `${visibleText(request.body.tool)} on ${server}` },
    { value: 'server', label: `All tools of ${server}` },
    { value: 'agent', label: `All tools of ${agent}` },
  ]
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium text-foreground">Allow</legend>
      {SCOPES.map(({ scope, label, until }) => (
        <div key={scope} className="call-scope flex flex-wrap items-center gap-2">
          <label className="flex flex-none items-center gap-2">
            <input
              type="radio"
              name={id}
              checked={allow.scope === scope}
              disabled={isUnread && scope !== 'once'}
              onChange={() => onChange({ ...allow, scope })}
            />
            {label}
          </label>
          {scope !== 'once' && (
            <span className="max-w-80">
              <Select
                aria-label={`Tools to allow: ${label}`}
                value={allow.target}
                disabled={isUnread || allow.scope !== scope}
                onValueChange={(target) => onChange({ scope, target })}
                options={targets}
              />
            </span>
          )}
          <span className="text-muted">{until}</span>
        </div>
      ))}
      <p className="text-small text-faint">
        {isUnread
          ? 'To allow it for longer, show every argument in full.'
          : 'Approvals end when the tool’s definition changes.'}
      </p>
    </fieldset>
  )
}

function Deadline(props: {
  readonly request: RequestOf<'call'>
  readonly isSeen: boolean
}): ReactElement {
  const { request, isSeen: isInView } = props
  return (
    <span className="min-w-0 flex-1 text-small text-muted">
      <span className="tabular-nums" role="timer">
        {deniedIn(request, useNow(1_000))}
      </span>
      {!isInView && '. Scroll to the end of the arguments to allow the call.'}
    </span>
  )
}

function Nature({ body }: { readonly body: RequestOf<'call'>['body'] }): ReactElement {
  const title = body.title === undefined ? '' : visibleText(body.title)
  if (!body.isDestructive)
    return <p>{body.isReadOnly === true ? `Marked read-only by the server. ${title}` : title}</p>
  return (
    <p className="flex items-center gap-1">
      <StatusGlyph status="degraded" />
      <span>
        <b className="is-degraded text-status">Destructive.</b> {title}
      </span>
    </p>
  )
}

function CallApproval({ request }: { readonly request: RequestOf<'call'> }): ReactElement {
  const answering = useAnswering(request)
  const [allow, setAllow] = useState<Choice>({ scope: 'once', target: 'tool' })
  const { requestId } = request
  const { isDestructive, arguments: rows } = request.body
  const { isUnread, read } = useUnread(rows)
  const { isSeen: isInView, ref } = useInView()
  const target = allow.scope === 'once' ? 'tool' : allow.target
  const { isResting: isDisabled, send } = answering
  const deny = useRef<HTMLButtonElement>(null)
  // Focuses Deny for a destructive call, unless the user has moved the focus.
  useEffect(() => {
    const focused = document.activeElement
    const isUntouched = focused === document.body || focused?.getAttribute('role') === 'dialog'
    if (isDestructive && !isDisabled && isUntouched) deny.current?.focus()
  }, [isDestructive, isDisabled])
  return (
    <RequestFrame
      request={request}
      answering={answering}
      wide
      description={<Nature body={request.body} />}
      actions={
        <>
          <Deadline request={request} isSeen={isInView} />
          <Button
            ref={deny}
            size="form"
            disabled={isDisabled}
            onClick={() => send({ kind: 'deny' })}
          >
            Deny
          </Button>
          <Button
            size="form"
            variant={isDestructive ? 'default' : 'primary'}
            disabled={isDisabled || !isInView}
            onClick={() => send({ kind: 'allow', scope: allow.scope, target })}
          >
            {BUTTONS[allow.scope]}
          </Button>
        </>
      }
    >
      <div className="mt-4 grid gap-4">
        <div>
          <div className="mb-1 flex items-center gap-2">
            <h3 className="min-w-0 flex-1 font-medium text-foreground">Arguments</h3>
            <CopyArguments requestId={requestId} isResting={isDisabled} />
          </div>
          <div
            className="rounded-lg border border-line bg-inset px-3 py-2"
            tabIndex={0}
            role="region"
            aria-label="Arguments"
          >
            <ArgumentList requestId={requestId} rows={rows} onRead={read} />
          </div>
          <div ref={ref} className="h-px" />
        </div>
        <Scopes request={request} allow={allow} isUnread={isUnread} onChange={setAllow} />
        <OtherCalls request={request} isResting={isDisabled} />
      </div>
    </RequestFrame>
  )
}

/** Returns whether an element was visible once, and the ref for it. */
function useInView(): { readonly isSeen: boolean; readonly ref: RefCallback<Element> } {
  const [isSeen, setIsInView] = useState(false)
  const [ref] = useState((): RefCallback<Element> => {
    return (element) => {
      if (!element) return undefined
      const watching = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setIsInView(true)
        watching.disconnect()
      })
      watching.observe(element)
      return () => watching.disconnect()
    }
  })
  return { isSeen, ref }
}

/** Returns the title, with a full stop unless it is a question. */
function bannerTitle(request: UserRequest, server: string): string {
  const title = requestTitle(request, server)
  return title.endsWith('?') ? title : `${title}.`
}

/** A banner above every page while a request waits. */
export function RequestNotice(): ReactElement | null {
  const requests = useQueuedRequests()
  const nameOf = useServerName()
  const [first] = requests
  if (first === undefined) return null
  const others = requests.length - 1
  return (
    <div
      className="page-banners scroll grid max-h-52 flex-none gap-2 border-b border-line p-3"
      role="region"
      aria-label="Requests"
    >
      <Banner
        severity="info"
        title={bannerTitle(first, nameOf(first))}
        action={
          <>
            <TimeLeft key={first.requestId} request={first} />
            <Button size="small" onClick={showRequests}>
              Answer
            </Button>
          </>
        }
      >
        {others > 0 && `${counted(others, 'more request')}.`}
      </Banner>
    </div>
  )
}
