import './result.css'

import { Fragment, type JSX, useMemo, useState } from 'react'

import type { ToolRun, ToolRunOutcome } from '../../../../src-shared/domain/agents/tool-run'
import { Button } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/segmented'
import { Banner } from '../../../ui/layout/banner'
import { counted, formatCount } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { problemWords } from '../../../ui/text/problem-messages'
import { visibleText, writtenOut } from '../../../ui/text/visible-text'
import { JsonView, WithText } from '../../json/json-view'
import { type TextSource, toolRunText } from '../../json/text-source'
import { ResultBlock } from './result-block'
import { readContent, type ResultContent } from './result-content'

/** How many blocks are shown at once. */
const STEP = 25

type ResultBlocksProps = {
  /** The whole result. */
  readonly text: string
  readonly content: ResultContent
  readonly onOpenResource?: ((uri: string) => void) | undefined
}

/** Who says a message of a prompt. */
function roleWords(role: string): string {
  if (role === 'user') return 'User'
  if (role === 'assistant') return 'Assistant'
  return role === '' ? 'Unknown role' : writtenOut(role.slice(0, 80))
}

/** The blocks of content of a result, those of a prompt as a conversation. */
function ResultBlocks(props: ResultBlocksProps): JSX.Element {
  const { text, content, onOpenResource } = props
  const { items, description } = content
  const [shown, setShown] = useState(STEP)
  const rest = items.length - shown
  if (items.length === 0) return <p className="soft small">Empty result</p>
  return (
    <>
      {description !== undefined && <PlainText text={description} />}
      {items.slice(0, shown).map((item, index) => {
        const isFirstOfRole = item.role !== undefined && item.role !== items[index - 1]?.role
        return (
          <Fragment key={item.pointer}>
            {isFirstOfRole && <p className="medium ink above-2">{roleWords(item.role ?? '')}</p>}
            <ResultBlock
              result={text}
              item={item}
              number={index + 1}
              onOpenResource={onOpenResource}
            />
          </Fragment>
        )
      })}
      {rest > 0 && (
        <div>
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show {formatCount(Math.min(STEP, rest))} more of {formatCount(items.length)}
          </Button>
        </div>
      )}
    </>
  )
}

type Checked = Extract<ToolRunOutcome, { kind: 'result' }>['checked']

/** Most problems that are listed. */
const MOST = 20

/** What the output schema of a tool has against a result; nothing where there is no schema, or all fits. */
function ResultChecked({ checked }: { readonly checked: Checked }): JSX.Element | null {
  if (checked === undefined) return null
  const { problems, isChecked, why } = checked
  if (!isChecked)
    return (
      <Banner severity="warn" title="Not checked against the output schema.">
        {why !== undefined && visibleText(why)}
      </Banner>
    )
  if (problems.length === 0) return <p className="soft small">Matches the tool’s output schema.</p>
  return (
    <Banner severity="warn" title="Doesn’t match the tool’s output schema.">
      <ul className="stack gap-1 above-1 break" aria-label="Output schema problems">
        {problems.slice(0, MOST).map(({ path, message }, index) => (
          <li key={index}>
            <code>{path === '' ? 'the whole' : writtenOut(path)}</code> {visibleText(message)}
          </li>
        ))}
      </ul>
      {problems.length > MOST && `${counted(problems.length - MOST, 'more problem')}.`}
    </Banner>
  )
}

type Outcome<K extends ToolRunOutcome['kind']> = Extract<ToolRunOutcome, { kind: K }>
type OnOpen = ((uri: string) => void) | undefined

/** Which side of a result is shown. */
type Side = 'content' | 'structured' | 'json'

const SIDES: Readonly<Record<Side, string>> = {
  content: 'Content',
  structured: 'Structured',
  json: 'JSON',
}

const LABEL = 'Result'

/** A result by its kinds of content, its structured content, and the raw JSON. */
function ResultTabs({
  text,
  onOpenResource,
}: {
  readonly text: string
  readonly onOpenResource: OnOpen
}): JSX.Element {
  const content = useMemo(() => readContent(text), [text])
  const [chosen, setSide] = useState<Side>()
  if (!content) return <JsonView text={text} label={LABEL} />
  const { items, hasStructured } = content
  const side = chosen ?? (items.length === 0 && hasStructured ? 'structured' : 'content')
  const sides: readonly Side[] = hasStructured
    ? ['content', 'structured', 'json']
    : ['content', 'json']
  return (
    <>
      <div>
        <Segmented
          label="Result view"
          value={side}
          onValueChange={setSide}
          options={sides.map((value) => ({ value, label: SIDES[value] }))}
        />
      </div>
      {side === 'content' && <ResultBlocks {...{ text, content, onOpenResource }} />}
      {side === 'structured' && (
        <JsonView text={text} pointer="/structuredContent" label="Structured content" />
      )}
      {side === 'json' && <JsonView text={text} label={LABEL} />}
    </>
  )
}

function Refused({
  outcome: { message },
  source,
}: {
  readonly outcome: Outcome<'refused'>
  readonly source: TextSource | undefined
}): JSX.Element {
  return (
    <>
      <Banner severity="error" title="The server rejected this request.">
        {visibleText(message)}
      </Banner>
      {source && (
        <WithText source={source} label="Error data">
          {(text) => <JsonView text={text} label="Error data" />}
        </WithText>
      )}
    </>
  )
}

function Failed({ outcome: { error } }: { readonly outcome: Outcome<'failed'> }): JSX.Element {
  const isOwnCommand = error.code === 'REQUEST_CANCELLED'
  return (
    <Banner severity={isOwnCommand ? 'info' : 'error'}>{visibleText(problemWords(error))}</Banner>
  )
}

function Body({
  outcome,
  source,
  onOpenResource,
}: {
  readonly outcome: ToolRunOutcome
  readonly source: TextSource | undefined
  readonly onOpenResource: OnOpen
}): JSX.Element {
  switch (outcome.kind) {
    case 'failed':
      return <Failed outcome={outcome} />
    case 'refused':
      return <Refused outcome={outcome} source={source} />
    case 'result':
      return source ? (
        <>
          <ResultChecked checked={outcome.checked} />
          <WithText source={source} label={LABEL}>
            {(text) => <ResultTabs text={text} onOpenResource={onOpenResource} />}
          </WithText>
        </>
      ) : (
        <Banner severity="info">This result is no longer available. Run it again to see it.</Banner>
      )
  }
}

/** What a run brought: content by its kind, structured content with what the schema has against it, and the raw JSON. */
export function ResultView({
  toolRun,
  onOpenResource,
}: {
  readonly toolRun: ToolRun
  readonly onOpenResource?: (uri: string) => void
}): JSX.Element | null {
  const { outcome } = toolRun
  if (outcome === undefined) return null
  return (
    <div className="slim-parts stack slim gap-3">
      <Body outcome={outcome} source={toolRunText(toolRun)} onOpenResource={onOpenResource} />
    </div>
  )
}
