import { Copy } from 'lucide-react'
import type { ReactElement } from 'react'
import { useEffect, useId, useRef, useState } from 'react'

import type { QuestionAnswer } from '../../src-shared/domain/agents/question'
import { useNow } from '../stores/now'
import { Button } from '../ui/controls/button'
import { IconButton } from '../ui/controls/icon-button'
import { Select } from '../ui/controls/select'
import { StatusGlyph } from '../ui/marks/status-glyph'
import { copyText } from '../ui/saving/copy-text'
import { visibleText, writtenOut } from '../ui/text/visible-text'
import { argumentRows } from './argument-rows'
import { OtherCalls } from './other-calls'
import { QuestionFrame } from './question-frame'
import { deniedIn } from './question-messages'
import type { QuestionOf } from './question-of'
import { askerName } from './question-store'
import type { Answering } from './use-answering'
import { useAnswering } from './use-answering'

type Allow = Extract<QuestionAnswer, { kind: 'allow' }>
type Scope = Allow['scope']
type Target = NonNullable<Allow['target']>
/** What is chosen in the dialog. */
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

/** For how long a call is allowed, and what else with it. */
function Scopes({
  question,
  allow,
  onChange,
}: {
  readonly question: QuestionOf<'call'>
  readonly allow: Choice
  readonly onChange: (allow: Choice) => void
}): ReactElement {
  const id = useId()
  const server = askerName(question)
  const agent = question.agent === undefined ? 'the agent' : visibleText(question.agent)
  const targets: { value: Target; label: string }[] = [
    { value: 'tool', label: `${visibleText(question.body.tool)} on ${server}` },
    { value: 'server', label: `All tools of ${server}` },
    { value: 'agent', label: `All tools of ${agent}` },
  ]
  return (
    <fieldset className="stack gap-2">
      <legend className="medium ink below-1">Allow</legend>
      {SCOPES.map(({ scope, label, until }) => (
        <div key={scope} className="call-scope row wrap gap-2">
          <label className="row gap-2 fixed">
            <input
              type="radio"
              name={id}
              checked={allow.scope === scope}
              onChange={() => onChange({ ...allow, scope })}
            />
            {label}
          </label>
          {scope !== 'once' && (
            <span className="call-target">
              <Select
                aria-label={`Tools to allow: ${label}`}
                value={allow.target}
                onValueChange={(target) => onChange({ scope, target: target as Target })}
                options={targets}
              />
            </span>
          )}
          <span className="soft">{until}</span>
        </div>
      ))}
      <p className="faint small">Approvals end when the tool’s definition changes.</p>
    </fieldset>
  )
}

function Arguments({
  body,
  isResting,
}: {
  readonly body: QuestionOf<'call'>['body']
  readonly isResting: boolean
}): ReactElement {
  const rows = argumentRows(body.arguments)
  return (
    <div className="stack gap-1">
      <div className="row gap-2">
        <h3 className="grow medium ink">Arguments</h3>
        <IconButton
          small
          icon={Copy}
          label="Copy arguments"
          disabled={isResting}
          onClick={() => copyText(body.arguments, 'Arguments copied.')}
        />
      </div>
      <div
        className="bounded well box pad-row source small mono scroll"
        tabIndex={0}
        role="region"
        aria-label="Arguments"
      >
        {rows === undefined ? (
          <pre>{writtenOut(body.arguments)}</pre>
        ) : (
          <dl className="call-arguments">
            {rows.map(({ name, text }) => (
              <div key={name}>
                <dt className="soft">{writtenOut(name)}</dt>
                <dd>{writtenOut(text)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {body.isCut && <p className="small">The arguments are too long to show in full.</p>}
    </div>
  )
}

/** The button that has the focus for a destructive call, unless the user has moved it. */
function DenyButton({
  isFirst,
  answering: { isResting, send },
}: {
  readonly isFirst: boolean
  readonly answering: Answering
}): ReactElement {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const focused = document.activeElement
    const isUntouched = focused === document.body || focused?.getAttribute('role') === 'dialog'
    if (isFirst && !isResting && isUntouched) button.current?.focus()
  }, [isFirst, isResting])
  return (
    <Button ref={button} size="form" disabled={isResting} onClick={() => send({ kind: 'deny' })}>
      Deny
    </Button>
  )
}

function Deadline({ question }: { readonly question: QuestionOf<'call'> }): ReactElement {
  return (
    <span className="grow soft small num" role="timer">
      {deniedIn(question, useNow(1_000))}
    </span>
  )
}

function Nature({ body }: { readonly body: QuestionOf<'call'>['body'] }): ReactElement {
  const title = body.title === undefined ? '' : visibleText(body.title)
  if (!body.isDestructive) return <p>{body.isReadOnly === true ? `Read-only. ${title}` : title}</p>
  return (
    <p className="row gap-1">
      <StatusGlyph status="degraded" />
      <span>
        <b className="tone is-degraded">Destructive.</b> {title}
      </span>
    </p>
  )
}

/** A call that an agent wants to make, with its arguments, and what the user can allow. */
export function CallQuestion({
  question,
}: {
  readonly question: QuestionOf<'call'>
}): ReactElement {
  const answering = useAnswering(question)
  const [allow, setAllow] = useState<Choice>({ scope: 'once', target: 'tool' })
  const { isDestructive } = question.body
  const target = allow.scope === 'once' ? 'tool' : allow.target
  return (
    <QuestionFrame
      question={question}
      answering={answering}
      wide
      said={<Nature body={question.body} />}
      actions={
        <>
          <Deadline question={question} />
          <DenyButton isFirst={isDestructive} answering={answering} />
          <Button
            size="form"
            variant={isDestructive ? 'default' : 'primary'}
            disabled={answering.isResting}
            onClick={() => answering.send({ kind: 'allow', scope: allow.scope, target })}
          >
            {BUTTONS[allow.scope]}
          </Button>
        </>
      }
    >
      <div className="stack gap-4 above-4">
        <Arguments body={question.body} isResting={answering.isResting} />
        <Scopes question={question} allow={allow} onChange={setAllow} />
        <OtherCalls question={question} isResting={answering.isResting} />
      </div>
    </QuestionFrame>
  )
}
