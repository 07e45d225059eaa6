import './tool-list.css'

import { type JSX, useCallback, useMemo, useState } from 'react'

import type { Tool } from '../../../src-shared/domain/agents/capability'
import type { ServerTools } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { ArgumentList } from '../../components/tool/argument-list'
import { reviewPlace } from '../../components/tool/review-place'
import { WarningList } from '../../components/tool/review-texts'
import { schemaArguments } from '../../components/tool/schema-arguments'
import { withTools } from '../../components/tool/tool-choices'
import { decideChoice } from '../../components/tool/tool-decisions'
import {
  EXPOSURE_LABEL,
  exposureMessage,
  tokensWords,
  toolsWords,
  usesWords,
} from '../../components/tool/tool-messages'
import {
  type Nature,
  NATURE_SENTENCE,
  NATURE_WORD,
  naturesOf,
} from '../../components/tool/tool-messages'
import { isSwitchable, ToolSwitch } from '../../components/tool/tool-switch'
import { toolRunPlace } from '../../components/tool-run/tool-run-place'
import { choiceOf, readToolsAgain, useServerTools, useTools } from '../../stores/tools-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { SearchField } from '../../ui/controls/search-field'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { useVirtualList } from '../../ui/list/virtual-list'
import { Tag } from '../../ui/marks/tag'
import { formatCount } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'
import { visibleText } from '../../ui/text/visible-text'
import { CapabilityPanel } from './capability-panel'
import { ChoiceHead } from './choice-head'
import {
  foundOffered,
  type OfferedGroup,
  type OfferedLine,
  offeredLines,
  type OfferedTool,
  offeredTools,
} from './offered-tools'

const SEARCH_FROM = 9

function Found({
  numbers,
  all,
}: {
  readonly numbers: ServerTools
  readonly all: readonly OfferedTool[]
}): JSX.Element {
  const [query, setQuery] = useState('')
  const found = useMemo(() => foundOffered(all, query), [all, query])
  const lines = useMemo(() => offeredLines(found), [found])
  return (
    <>
      {all.length >= SEARCH_FROM && (
        <div className="tool-search row below-1">
          <SearchField
            label="Search tools"
            placeholder="Name or description"
            value={query}
            onChange={setQuery}
            meta={query === '' ? undefined : `${found.length} of ${all.length}`}
          />
        </div>
      )}
      {found.length === 0 ? (
        <BlankState
          art="open"
          title="No matching tools"
          message={`Try another name or description, or clear the search.`}
        />
      ) : (
        <ToolLines numbers={numbers} lines={lines} all={all} />
      )}
    </>
  )
}

function Tools({
  server,
  tools,
}: {
  readonly server: ServerView
  readonly tools: readonly Tool[]
}): JSX.Element {
  const { installationId } = server
  const known = useTools()
  const numbers = useServerTools(installationId)
  const choice = numbers && choiceOf(numbers, known.pending)
  const all = useMemo(() => {
    const views = known.tools?.filter((tool) => tool.installationId === installationId)
    return views && choice && offeredTools(views, tools, choice)
  }, [known.tools, tools, installationId, choice])
  if (known.tools === null && known.problem !== null)
    return (
      <ProblemState title="Can’t load tools" problem={known.problem} onRetry={readToolsAgain} />
    )
  if (!numbers || !choice || !all) return <Skeleton label="Loading tools" rows={5} />
  const chosen = { ...numbers, choice }
  return (
    <>
      <ChoiceHead server={server} numbers={chosen} all={all} />
      {all.length === 0 ? (
        <BlankState art="open" title="No tools" message="This server doesn’t offer tools." />
      ) : (
        <Found numbers={chosen} all={all} />
      )}
    </>
  )
}

/** The tools of a server, each with its switch, its description and its arguments. */
export function ToolList({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <CapabilityPanel server={server} label="Tools" noun="tools">
      {({ tools }) => <Tools server={server} tools={tools} />}
    </CapabilityPanel>
  )
}

/** Heights before a line is measured, in rem. */
const ESTIMATE = { head: 3, tool: 5.75 } as const

type Switch = (tools: readonly OfferedTool[], isOn: boolean, said?: string) => void

function GroupLine({
  group: { kind, tools },
  installationId,
  onSwitch,
}: {
  readonly group: OfferedGroup
  readonly installationId: string
  readonly onSwitch: Switch
}): JSX.Element {
  const isHeld = kind === 'held'
  return (
    <div className="nature-head row gap-2">
      <h2 id={`group-${kind}`}>{isHeld ? EXPOSURE_LABEL.held : NATURE_WORD[kind]}</h2>
      <span className="faint num">{formatCount(tools.length)}</span>
      <p className="faint small cut">
        {isHeld ? 'New or changed since your last approval.' : NATURE_SENTENCE[kind]}
      </p>
      <span className="grow" />
      {isHeld ? (
        <ButtonLink size="small" href={reviewPlace(installationId)}>
          Review
        </ButtonLink>
      ) : (
        <GroupSwitch group={{ kind, tools }} onSwitch={onSwitch} />
      )}
    </div>
  )
}

function GroupSwitch({
  group: { kind, tools },
  onSwitch,
}: {
  readonly group: { readonly kind: Nature; readonly tools: readonly OfferedTool[] }
  readonly onSwitch: Switch
}): JSX.Element | null {
  const switchable = tools.filter(({ exposure }) => isSwitchable(exposure))
  if (switchable.length === 0) return null
  const isOff = switchable.every(({ isOn }) => !isOn)
  const count = switchable.length
  const said = `${toolsWords(count)} turned ${isOff ? 'on' : 'off'}: ${NATURE_WORD[kind].toLowerCase()}.`
  return (
    <Button
      size="small"
      variant="quiet"
      className="flush-end"
      aria-describedby={`group-${kind}`}
      onClick={() => onSwitch(switchable, isOff, said)}
    >
      {isOff ? 'Turn on group' : 'Turn off group'}
    </Button>
  )
}

/** The tools with their heads; only those in view are drawn. */
function ToolLines({
  numbers,
  lines,
  all,
}: {
  readonly numbers: ServerTools
  readonly lines: readonly OfferedLine[]
  /** All tools of the server, found or not. */
  readonly all: readonly OfferedTool[]
}): JSX.Element {
  const { items, holder, measure } = useVirtualList({
    count: lines.length,
    keyOf: useCallback((index: number) => lines[index]?.key ?? index, [lines]),
    sizeOf: (index) => ESTIMATE[lines[index]?.kind ?? 'tool'],
    // The Tab key finds the next one.
    overscan: 12,
  })
  const onSwitch: Switch = (tools, isOn, said) => {
    const names = tools.map(({ view }) => view.name)
    const listed = [...new Set(all.map(({ view }) => view.name))]
    void decideChoice(numbers, withTools(numbers.choice, listed, names, isOn), said)
  }
  return (
    <ul {...holder} aria-label="Tools" className="anchor">
      {items.map(({ key, index, top }) => {
        const line = lines[index]
        return (
          <li
            className="placed"
            key={key}
            ref={measure}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={lines.length}
            style={{ transform: `translateY(${top}px)` }}
          >
            {line?.kind === 'head' && (
              <GroupLine
                group={line.group}
                installationId={numbers.installationId}
                onSwitch={onSwitch}
              />
            )}
            {line?.kind === 'tool' && (
              <OfferedRow
                offered={line.offered}
                under={line.under}
                onToggle={(isOn) => onSwitch([line.offered], isOn)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Exposure({ offered: { view, exposure } }: { readonly offered: OfferedTool }): JSX.Element {
  const { installationId, name, reason } = view
  const isJudged = exposure === 'held' || exposure === 'refused'
  return (
    <p className="row wrap gap-2 rows-1 soft small break">
      <Tag tone={exposure === 'refused' ? 'plain' : 'warn'}>{EXPOSURE_LABEL[exposure]}</Tag>
      <span>{exposureMessage({ ...view, exposure, reason })}</span>
      {isJudged && (
        <ButtonLink
          size="small"
          href={reviewPlace(installationId, name)}
          aria-label={`Review ${visibleText(name)}`}
        >
          Review
        </ButtonLink>
      )}
    </p>
  )
}

type OfferedRowProps = {
  readonly offered: OfferedTool
  /** The group whose head it stands under, which is not said once more. */
  readonly under: OfferedGroup['kind'] | undefined
}

function Name({ offered: { view, exposure }, under }: OfferedRowProps): JSX.Element {
  const { installationId, name, title, annotations, tokens, uses } = view
  const natures = naturesOf(annotations).filter((nature) => nature !== 'other' && nature !== under)
  return (
    <div className="row at-base spread gap-3">
      <h3 className="flex wrap at-base gap-2 rows-0 medium break">
        <code className={exposure === 'exposed' ? 'same-size slim' : 'same-size slim faint'}>
          {visibleText(name)}
        </code>
        {title !== undefined && title !== name && (
          <span className="soft regular">{visibleText(title)}</span>
        )}
        {natures.map((nature) => (
          <Tag key={nature}>{NATURE_WORD[nature]}</Tag>
        ))}
      </h3>
      <span className="flex gap-3 fixed faint small num">
        {uses > 0 && <span>{usesWords(uses)}</span>}
        {tokens !== undefined && <span>{tokensWords(tokens)}</span>}
        <ButtonLink
          size="small"
          href={toolRunPlace(installationId, 'tool', name)}
          aria-label={`Try it: ${visibleText(name)}`}
        >
          Try it
        </ButtonLink>
      </span>
    </div>
  )
}

/** A tool of the server with its switch, or with what keeps it from agents. */
function OfferedRow({
  offered,
  under,
  onToggle,
}: OfferedRowProps & { readonly onToggle: (isOn: boolean) => void }): JSX.Element {
  const { view, tool, isOn, exposure } = offered
  const description = tool?.description ?? view.description
  return (
    <div className="offered stack at-top gap-3 rows-0 ruled">
      {isSwitchable(exposure) ? (
        <ToolSwitch name={view.name} isOn={isOn} onChange={onToggle} />
      ) : (
        <span />
      )}
      <div className="stack gap-1 slim">
        <Name offered={offered} under={under} />
        {!isSwitchable(exposure) && <Exposure offered={offered} />}
        <WarningList securityWarnings={view.securityWarnings} />
        {description !== undefined && (
          <PlainText className={exposure === 'exposed' ? undefined : 'faint'} text={description} />
        )}
        {tool !== undefined && <ArgumentList args={schemaArguments(tool.inputSchema)} />}
      </div>
    </div>
  )
}
