import { History } from 'lucide-react'
import { type JSX, useRef, useState } from 'react'

import type { ServerTools, ToolChange } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { serverActions } from '../../components/server/server-actions'
import { ToolDefinition, ToolDifference } from '../../components/tool/review-texts'
import { namesOf } from '../../components/tool/tool-choices'
import { decideChoice } from '../../components/tool/tool-decisions'
import { leftOutWords } from '../../components/tool/tool-messages'
import { tokensWords } from '../../components/tool/tool-messages'
import { useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/segmented'
import { Banner } from '../../ui/layout/banner'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { Tag } from '../../ui/marks/tag'
import { Dialog } from '../../ui/overlays/dialog'
import { counted, formatCount, formatMoment } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import type { OfferedTool } from './offered-tools'

const KIND_WORD: Readonly<Record<ToolChange['kind'], string>> = {
  added: 'Added',
  changed: 'Changed',
  removed: 'Removed',
  approved: 'Approved by you',
  refused: 'Rejected by you',
}

function What({ change: { before, after } }: { readonly change: ToolChange }): JSX.Element | null {
  if (before && after) return <ToolDifference before={before} after={after} />
  const only = after ?? before
  return only ? <ToolDefinition tool={only} /> : null
}

function Line({ change }: { readonly change: ToolChange }): JSX.Element {
  const { at, name, kind, packageVersion } = change
  const now = useNow(60_000)
  return (
    <>
      <code className="slim">{visibleText(name)}</code>
      <Tag tone={kind === 'changed' ? 'warn' : 'plain'}>{KIND_WORD[kind]}</Tag>
      {packageVersion !== undefined && (
        <span className="faint small">version {visibleText(packageVersion)}</span>
      )}
      <span className="to-end faint small num">{formatMoment(at, now)}</span>
    </>
  )
}

function Event({ change }: { readonly change: ToolChange }): JSX.Element {
  if (!change.before && !change.after)
    return (
      <li className="review-event">
        <div className="review-line flex wrap at-base gap-2 rows-0">
          <Line change={change} />
        </div>
      </li>
    )
  return (
    <li className="review-event">
      <details>
        <summary className="flex wrap at-base gap-2 rows-0">
          <Line change={change} />
        </summary>
        <What change={change} />
      </details>
    </li>
  )
}

function Contents({ installationId }: { readonly installationId: string }): JSX.Element {
  const generation = useApp(({ app }) => app?.tools.generation)
  const { loaded, retry } = useRequest('tools.history', { installationId }, { state: [generation] })
  switch (loaded.kind) {
    case 'loading':
      return <Skeleton label="Loading history" rows={4} />
    case 'failed':
      return (
        <ProblemState title="Can’t load the history" problem={loaded.problem} onRetry={retry} />
      )
    case 'ready':
      return loaded.value.length === 0 ? (
        <BlankState
          art="open"
          title="No changes yet"
          message="Added, changed, and removed tools will appear here."
        />
      ) : (
        <ul className="bounded divided roomy above-3 scroll" aria-label="Tool history" tabIndex={0}>
          {loaded.value.map((change, index) => (
            <Event key={`${change.at} ${change.name} ${index}`} change={change} />
          ))}
        </ul>
      )
  }
}

/** What happened to the tools of a server, newest first, with what was before and after. */
function ToolHistory({
  installationId,
  onClose,
}: {
  readonly installationId: string
  readonly onClose: () => void
}): JSX.Element {
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Tool history"
      description="Changes by the server and your decisions."
      leave="Close"
    >
      <Contents installationId={installationId} />
    </Dialog>
  )
}

const CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'list', label: 'Selected' },
  { value: 'none', label: 'None' },
] as const
const CHOICE_SENTENCE: Readonly<Record<ToolChoice['kind'], string>> = {
  all: 'New tools are added after you approve them.',
  list: 'New tools stay off until you select them.',
  none: 'Agents see no tools from this server.',
}
const SAID: Readonly<Record<ToolChoice['kind'], string>> = {
  all: 'All tools turned on.',
  list: 'Only selected tools are on.',
  none: 'All tools turned off.',
}
/** Names that a banner holds before it counts the rest. */
const NAMED = 5

/** The answer of the tab: "12 of 14 tools exposed to agents, ≈ 3,210 tokens". */
function headline({ exposed, total, tokens }: ServerTools): string {
  const shown = `${formatCount(exposed)} of ${counted(total, 'tool')} available to agents`
  return exposed === 0 || tokens === undefined ? shown : `${shown}, ${tokensWords(tokens)}`
}

function Missing({ numbers }: { readonly numbers: ServerTools }): JSX.Element | null {
  const { choice, missing } = numbers
  if (choice.kind !== 'list' || missing.length === 0) return null
  const rest = missing.length - NAMED
  const names = missing.slice(0, NAMED).map(visibleText).join(', ')
  const remove = (): void => {
    const kept = choice.names.filter((name) => !missing.includes(name))
    void decideChoice(
      numbers,
      { kind: 'list', names: kept },
      missing.length === 1 ? 'Removed from the selection.' : 'Removed from the selection.',
    )
  }
  return (
    <Banner
      severity="warn"
      title={
        missing.length === 1
          ? '1 selected tool is no longer listed.'
          : `${formatCount(missing.length)} selected tools are no longer listed.`
      }
      action={
        <Button size="small" onClick={remove}>
          Remove from selection
        </Button>
      }
    >
      The server no longer lists {names}
      {rest > 0 && ` and ${formatCount(rest)} more`}.
    </Banner>
  )
}

function Disabled({
  server: { installationId, name, enabled },
}: {
  readonly server: ServerView
}): JSX.Element | null {
  if (enabled) return null
  return (
    <Banner
      severity="info"
      title={`${name} is turned off.`}
      action={
        <Button size="small" onClick={() => void serverActions.setEnabled(installationId, true)}>
          {' '}
          Turn on
        </Button>
      }
    >
      Agents can’t see this server’s tools.
    </Banner>
  )
}

/** How many of its tools agents are shown, what that takes, and the choice that makes it so. */
export function ChoiceHead({
  server,
  numbers,
  all,
}: {
  readonly server: ServerView
  /** With the choice as it was made last. */
  readonly numbers: ServerTools
  readonly all: readonly OfferedTool[]
}): JSX.Element {
  const { installationId, choice } = numbers
  const leftOut = leftOutWords(numbers)
  const [isHistory, setIsHistory] = useState(false)
  // So that a look at "All" does not lose what was chosen one by one.
  const lastList = useRef<ToolChoice | null>(null)
  const choose = (kind: ToolChoice['kind']): void => {
    if (kind === choice.kind) return
    if (choice.kind === 'list') lastList.current = choice
    const names = [...namesOf(choice, [...new Set(all.map(({ view }) => view.name))])]
    const list = lastList.current ?? { kind: 'list', names }
    void decideChoice(numbers, kind === 'list' ? list : { kind }, SAID[kind])
  }
  return (
    <div className="stack gap-3 below-3">
      <div className="row wrap gap-3 rows-2">
        <h2 className="lead medium num">{headline(numbers)}</h2>
        <span className="grow" />
        <Button
          size="small"
          variant="quiet"
          className="flush-end"
          icon={History}
          onClick={() => setIsHistory(true)}
        >
          {' '}
          History
        </Button>
      </div>
      {leftOut !== '' && <p className="soft">{leftOut}</p>}
      {all.length > 0 && (
        <div className="row wrap gap-3 rows-2">
          <Segmented
            label="Tools available to agents"
            value={choice.kind}
            options={CHOICES}
            onValueChange={choose}
          />
          <p className="faint small">{CHOICE_SENTENCE[choice.kind]}</p>
        </div>
      )}
      <Disabled server={server} />
      <Missing numbers={numbers} />
      {isHistory && <ToolHistory {...{ installationId }} onClose={() => setIsHistory(false)} />}
    </div>
  )
}
