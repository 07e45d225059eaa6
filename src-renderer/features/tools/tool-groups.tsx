import { ChevronDown } from 'lucide-react'
import { type JSX, type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'

import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { namesOf } from '../../components/tool/tool-choices'
import { decideChoice } from '../../components/tool/tool-decisions'
import { choiceWords, tokensWords, toolsWords } from '../../components/tool/tool-messages'
import { useNow } from '../../stores/now'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction, MenuChoices, MenuLine } from '../../ui/controls/menu'
import { Tag } from '../../ui/marks/tag'
import { counted, formatCount, formatMoment } from '../../ui/text/format'
import type { GroupServer, ListedTool, ListGroup } from './list-groups'
import { ToolRow, type ToolRowActs } from './tool-row'
import { type ShownGroup, useToolWindow } from './use-tool-window'

const CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'none', label: 'None' },
  { value: 'list', label: 'Selected' },
] as const satisfies readonly { readonly value: ToolChoice['kind']; readonly label: string }[]

function ChoiceMenu({
  server,
  tools,
}: {
  readonly server: GroupServer
  readonly tools: readonly ListedTool[]
}): JSX.Element {
  const { numbers, name, choice } = server
  const all = tools.map(({ tool }) => tool.name)
  const readOnly = tools
    .filter(({ natures }) => natures.includes('readOnly'))
    .map(({ tool }) => tool.name)
  const choose = (next: ToolChoice, said: string): void =>
    void decideChoice({ installationId: numbers.installationId, choice }, next, said)
  const chooseKind = (kind: ToolChoice['kind']): void => {
    if (kind === choice.kind) return
    if (kind === 'all') choose({ kind }, `All tools of ${name} turned on.`)
    else if (kind === 'none') choose({ kind }, `All tools of ${name} turned off.`)
    else
      choose(
        { kind, names: [...namesOf(choice, all)] },
        `New tools of ${name} stay off until you select them.`,
      )
  }
  return (
    <Menu
      label={`Tools of ${name} for agents`}
      trigger={
        <Button
          variant="quiet"
          size="small"
          aria-label={`Tools of ${name} for agents: ${choiceWords(choice)}`}
        >
          {choiceWords(choice)}
          <ChevronDown className="icon icon-s" aria-hidden />
        </Button>
      }
    >
      <MenuChoices value={choice.kind} choices={CHOICES} onChange={chooseKind} />
      <MenuLine />
      <MenuAction
        disabled={readOnly.length === 0}
        hint="Tools that the server marks read-only."
        onSelect={() =>
          choose(
            { kind: 'list', names: readOnly },
            `${counted(readOnly.length, 'read-only tool')} of ${name} turned on, all others off.`,
          )
        }
      >
        {`Only read-only (${formatCount(readOnly.length)})`}
      </MenuAction>
    </Menu>
  )
}

/** What a head says beside the name, in parts. */
function factsOf(
  { numbers, isEnabled }: GroupServer,
  own: readonly ListedTool[],
  now: number,
): string[] {
  if (numbers.listedAt === undefined && own.length === 0) return ['Not listed yet']
  const exposed = own.filter(({ exposure }) => exposure === 'exposed').length
  const moment = numbers.listedAt === undefined ? '' : formatMoment(numbers.listedAt, now)
  const when = moment === '' ? '' : `listed ${moment === 'now' ? 'just now' : moment}`
  return [
    isEnabled ? '' : 'Server turned off',
    own.length === 0
      ? 'No tools'
      : `${formatCount(exposed)} of ${formatCount(own.length)} available`,
    exposed === 0 ? '' : tokensWords(numbers.tokens),
    numbers.isLive ? '' : when,
  ].filter(Boolean)
}

function ServerHead({
  server,
  own,
  now,
}: {
  readonly server: GroupServer
  readonly own: readonly ListedTool[]
  readonly now: number
}): JSX.Element {
  const { numbers, name } = server
  const gone = numbers.missing.length
  return (
    <>
      <h3 className="cut">
        <Link className="ink" href={`/servers/${numbers.installationId}/tools`}>
          {name}
        </Link>
      </h3>
      <span className="group-facts hide-small faint small cut num">
        {factsOf(server, own, now).join(' · ')}
      </span>
      {gone > 0 && <Tag tone="warn">{`${counted(gone, 'selected tool')} no longer listed`}</Tag>}
      <span className="grow" />
      {own.length > 0 && <ChoiceMenu server={server} tools={own} />}
    </>
  )
}

/** The head of a group, which stays in view while its tools scroll by. */
function GroupHead({
  group,
  own,
  now,
}: {
  readonly group: ListGroup
  /** All tools of its server, found or not. */
  readonly own: readonly ListedTool[]
  readonly now: number
}): JSX.Element {
  const { kind, server, tools } = group
  if (server) return <ServerHead {...{ server, own, now }} />
  return (
    <>
      <h3 className="cut">{kind === 'held' ? 'Needs review' : 'All servers'}</h3>
      <span className="group-facts hide-small faint small cut num">
        {kind === 'held'
          ? `${toolsWords(tools.length)} new or changed since your last approval`
          : toolsWords(tools.length)}
      </span>
    </>
  )
}

const NO_TOOLS: readonly ListedTool[] = []

type GroupProps = {
  readonly shown: ShownGroup
  readonly own: readonly ListedTool[]
  readonly now: number
  readonly total: number
  /** The tool that Tab stops at. */
  readonly stop: number
  /** Keys of the selected tools. */
  readonly selected: ReadonlySet<string>
  readonly acts: ToolRowActs
}

function Group({ shown, own, now, total, stop, selected, acts }: GroupProps): JSX.Element {
  const { group, top, height, rows } = shown
  const label =
    group.server?.name ??
    (group.kind === 'held' ? 'Tools that need review' : 'Tools of all servers')
  return (
    <section className="placed" style={{ top, height }} aria-label={label}>
      <header className="group-head sticks row gap-2 ruled surface">
        <GroupHead {...{ group, own, now }} />
      </header>
      {group.tools.length > 0 && (
        <ul aria-label={`Tools: ${label}`}>
          {rows.map(({ listed, index, top: rowTop }) => (
            <ToolRow
              key={listed.key}
              tool={listed.tool}
              exposure={listed.exposure}
              isOn={listed.isOn}
              isSelected={selected.has(listed.key)}
              serverName={group.kind === 'server' ? undefined : listed.server.name}
              index={index}
              total={total}
              isStop={index === stop}
              top={rowTop}
              acts={acts}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Leads the keyboard into the list: to the tool that Tab stops at. */
export function enterTools(event: KeyboardEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('.tool-hit[tabindex="0"]')?.focus()
}

/** The tools in their groups; only those in view are drawn. */
export function ToolGroups({
  region,
  groups,
  all,
  selected,
  acts,
}: {
  readonly region: RefObject<HTMLDivElement | null>
  readonly groups: readonly ListGroup[]
  /** All tools, found or not. */
  readonly all: readonly ListedTool[]
  /** Keys of the selected tools. */
  readonly selected: ReadonlySet<string>
  readonly acts: ToolRowActs
}): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const now = useNow(60_000)
  const { shown, height, press } = useToolWindow(region, list, groups)
  const [focused, setFocused] = useState(0)
  const byServer = useMemo(() => Map.groupBy(all, ({ tool }) => tool.installationId), [all])
  const total = groups.reduce((sum, { tools }) => sum + tools.length, 0)
  const drawn = shown.flatMap(({ rows }) => rows.map(({ index }) => index))
  const stop = drawn.includes(focused) ? focused : (drawn[0] ?? 0)
  return (
    <div
      ref={list}
      className="below-3 anchor"
      style={{ height }}
      onKeyDown={press}
      onFocus={({ target }) => {
        const { index } = target.dataset
        if (index !== undefined) setFocused(Number(index))
      }}
    >
      {shown.map((one) => (
        <Group
          key={one.group.key}
          shown={one}
          own={byServer.get(one.group.server?.numbers.installationId ?? '') ?? NO_TOOLS}
          {...{ now, total, stop, selected, acts }}
        />
      ))}
    </div>
  )
}
