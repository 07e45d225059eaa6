import './result.css'

import type { JSX } from 'react'
import { useState } from 'react'

import type { ToolRun, ToolRunOutcome } from '../../../../src-shared/domain/agents/tool-run'
import { Segmented } from '../../../ui/controls/segmented'
import { Banner } from '../../../ui/layout/banner'
import { Skeleton } from '../../../ui/layout/skeleton'
import { problemWords } from '../../../ui/text/problem-messages'
import { visibleText } from '../../../ui/text/visible-text'
import { JsonView } from '../../json/json-view'
import { usePromised } from '../../json/markdown/use-promised'
import type { ResultFacts } from '../../json/reading/result-content'
import { useDocument } from '../../json/text/text-document'
import { type TextSource, toolRunText } from '../../json/text/text-source'
import type { HeldResult } from './inner-text'
import { ResultBlocks } from './result-blocks'
import { ResultChecked } from './result-checked'

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

/** What a trial brought: content by its kind, structured content with what the schema has against it, and the raw JSON. */
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
