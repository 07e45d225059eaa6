import './result.css'

import { Fragment, type JSX, useEffect, useState } from 'react'

import type { ToolRun, ToolRunOutcome } from '../../../../src-shared/domain/agents/tool-run'
import { toErrorShape } from '../../../ipc/call'
import { Button } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/segmented'
import { Banner } from '../../../ui/layout/banner'
import { Skeleton } from '../../../ui/layout/skeleton'
import { counted, formatCount } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { problemWords } from '../../../ui/text/problem-messages'
import { visibleText, writtenOut } from '../../../ui/text/visible-text'
import { JsonView } from '../../json/json-view'
import { usePromised } from '../../json/markdown/use-promised'
import type { ContentItem, ResultFacts } from '../../json/reading/result-content'
import { useDocument } from '../../json/text/text-document'
import { type TextSource, toolRunText } from '../../json/text/text-source'
import type { HeldResult } from './inner-text'
import { ResultBlock } from './result-block'

/** How many blocks are shown at once. */
const STEP = 25

type ResultBlocksProps = HeldResult & {
  readonly source: TextSource
  readonly facts: ResultFacts
  readonly onOpenResource?: ((uri: string) => void) | undefined
}

type Read = { readonly items: readonly ContentItem[]; readonly problem?: string }

function useItems({ remote, textKey }: HeldResult, wanted: number): Read {
  const [read, setRead] = useState<Read>({ items: [] })
  const known = read.items.length
  useEffect(() => {
    if (known >= wanted) return undefined
    let isOver = false
    remote.items(textKey, known, wanted).then(
      (more) => {
        if (!isOver) setRead(({ items }) => ({ items: [...items, ...more] }))
      },
      (thrown: unknown) => {
        if (!isOver) setRead({ items: [], problem: toErrorShape(thrown).message })
      },
    )
    return () => {
      isOver = true
    }
  }, [remote, textKey, known, wanted])
  return read
}

/** Who says a message of a prompt. */
function roleWords(role: string): string {
  if (role === 'user') return 'User'
  if (role === 'assistant') return 'Assistant'
  return role === '' ? 'Unknown role' : writtenOut(role.slice(0, 80))
}

/** The blocks of content of a result, those of a prompt as a conversation. */
function ResultBlocks(props: ResultBlocksProps): JSX.Element {
  const { facts, onOpenResource, ...held } = props
  const [shown, setShown] = useState(STEP)
  const wanted = Math.min(shown, facts.count)
  const { items, problem } = useItems(held, wanted)
  if (facts.count === 0) return <p className="soft small">Empty result</p>
  if (problem !== undefined) return <p className="soft small">{problem}</p>
  if (items.length === 0) return <Skeleton label="Loading result" rows={2} />
  return (
    <>
      {facts.description !== undefined && <PlainText text={facts.description} />}
      {items.map((item, index) => {
        const isFirstOfRole = item.role !== undefined && item.role !== items[index - 1]?.role
        return (
          <Fragment key={item.node}>
            {isFirstOfRole && <p className="medium ink above-2">{roleWords(item.role ?? '')}</p>}
            <ResultBlock {...held} item={item} number={index + 1} onOpenResource={onOpenResource} />
          </Fragment>
        )
      })}
      {items.length < facts.count && (
        <div>
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show {formatCount(Math.min(STEP, facts.count - items.length))} more of{' '}
            {formatCount(facts.count)}
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

type SidesProps = HeldResult & {
  readonly source: TextSource
  readonly facts: ResultFacts
  readonly onOpenResource: OnOpen
}

function Sides({ facts, source, onOpenResource, ...held }: SidesProps): JSX.Element {
  const { count, hasStructured } = facts
  const [side, setSide] = useState<Side>(count === 0 && hasStructured ? 'structured' : 'content')
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
      {side === 'content' && (
        <ResultBlocks {...held} source={source} facts={facts} onOpenResource={onOpenResource} />
      )}
      {side === 'structured' && (
        <JsonView source={source} pointer="/structuredContent" label="Structured content" />
      )}
      {side === 'json' && <JsonView source={source} label={LABEL} />}
    </>
  )
}

function Held(props: Omit<SidesProps, 'facts'>): JSX.Element {
  const { remote, textKey, source } = props
  const facts = usePromised(() => remote.result(textKey))
  if (facts === undefined) return <Skeleton label="Loading result" rows={2} />
  if (facts instanceof Error) return <JsonView source={source} label={LABEL} />
  return <Sides {...props} facts={facts} />
}

function Result({
  source,
  outcome,
  onOpenResource,
}: {
  readonly source: TextSource
  readonly outcome: Outcome<'result'>
  readonly onOpenResource: OnOpen
}): JSX.Element {
  const document = useDocument(source)
  const isHeld = document.kind === 'ready' && document.facts.kind === 'json'
  return (
    <>
      <ResultChecked checked={outcome.checked} />
      {isHeld ? (
        <Held
          remote={document.remote}
          textKey={source.key}
          source={source}
          onOpenResource={onOpenResource}
        />
      ) : (
        // On its way, too long or lost: it says so itself.
        <JsonView source={source} label={LABEL} />
      )}
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
      {source && <JsonView source={source} label="Error data" />}
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
        <Result source={source} outcome={outcome} onOpenResource={onOpenResource} />
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
