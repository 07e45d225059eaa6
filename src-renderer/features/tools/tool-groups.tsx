import { ChevronDown } from 'lucide-react'
import { type JSX, useCallback, useMemo, useState } from 'react'
import { Link } from 'wouter'

import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { namesOf } from '../../components/tool/tool-choices'
import { decideChoice } from '../../components/tool/tool-decisions'
import { choiceWords, tokensWords, toolsWords } from '../../components/tool/tool-messages'
import { useNow } from '../../stores/now'
import { Button } from '../../ui/controls/button'
import { Menu, MenuAction, MenuChoices, MenuLine } from '../../ui/controls/menu'
import { type ListItem, remInPx, useVirtualList } from '../../ui/list/virtual-list'
import { Tag } from '../../ui/marks/tag'
import { counted, formatCount, formatMoment } from '../../ui/text/format'
import type { GroupServer, ListedTool, ListGroup } from './list-groups'
import { ToolRow, type ToolRowActs } from './tool-row'

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
  /** Keys of the selected tools. */
  readonly selected: ReadonlySet<string>
  readonly acts: ToolRowActs
}

function Group({ shown, own, now, total, selected, acts }: GroupProps): JSX.Element {
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
          {rows.map(({ listed, ...item }) => (
            <ToolRow
              key={listed.key}
              {...item}
              tool={listed.tool}
              exposure={listed.exposure}
              isOn={listed.isOn}
              isSelected={selected.has(listed.key)}
              serverName={group.kind === 'server' ? undefined : listed.server.name}
              total={total}
              acts={acts}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** What stays over the list while it scrolls, in rem: the tool bar and the head of the group. */
const COVER = { start: 5.25, end: 1 }
/** The tools in their groups; only those in view are drawn. */
export function ToolGroups({
  groups,
  all,
  selected,
  acts,
}: {
  readonly groups: readonly ListGroup[]
  /** All tools, found or not. */
  readonly all: readonly ListedTool[]
  /** Keys of the selected tools. */
  readonly selected: ReadonlySet<string>
  readonly acts: ToolRowActs
}): JSX.Element {
  const now = useNow(60_000)
  const lines = useMemo(() => groupLines(groups), [groups])
  const { items, holder } = useVirtualList({
    count: lines.length,
    keyOf: useCallback((index: number) => lines[index]?.key ?? index, [lines]),
    sizeOf: (index) => (lines[index] ? lineHeight(lines[index]) : 0),
    cover: COVER,
    canFocus: (index) => lines[index]?.listed !== undefined,
  })
  const byServer = useMemo(() => Map.groupBy(all, ({ tool }) => tool.installationId), [all])
  const total = lines.length - groups.length
  const [rem] = useState(remInPx)
  return (
    <div {...holder} className="below-3 anchor">
      {shownGroups(lines, items, rem).map((shown) => (
        <Group
          key={shown.group.key}
          shown={shown}
          own={byServer.get(shown.group.server?.numbers.installationId ?? '') ?? NO_TOOLS}
          {...{ now, total, selected, acts }}
        />
      ))}
    </div>
  )
}

/** Heights of lines, in rem; a group ends with a gap. */
const SIZES = { tool: 2.25, head: 2.5, gap: 1 } as const

/** A line of the list: the head of a group, or one of its tools. */
type GroupLine = {
  readonly key: string
  readonly group: ListGroup
  /** Missing of a head. */
  readonly listed?: ListedTool
  /** Its place among the tools of its group, from 0; -1 of a head. */
  readonly place: number
  /** How many tools of the list stand before its group. */
  readonly before: number
}

/** A group in view, with those of its rows that are; lengths are in px. */
type ShownGroup = {
  readonly group: ListGroup
  /** From the top of the list. */
  readonly top: number
  readonly height: number
  readonly rows: readonly {
    readonly listed: ListedTool
    readonly index: number
    readonly isStop: boolean
    /** Among all tools of the list, from 1. */
    readonly position: number
    /** From the top of the group. */
    readonly top: number
  }[]
}

/** The lines of groups below each other. */
export function groupLines(groups: readonly ListGroup[]): readonly GroupLine[] {
  let before = 0
  return groups.flatMap((group) => {
    const lines = [
      { key: group.key, group, place: -1, before },
      ...group.tools.map((listed, place) => ({ key: listed.key, group, listed, place, before })),
    ]
    before += group.tools.length
    return lines
  })
}

/** The height of a line, in rem. */
export function lineHeight({ place, group }: GroupLine): number {
  const isLast = place === group.tools.length - 1
  return (place === -1 ? SIZES.head : SIZES.tool) + (isLast ? SIZES.gap : 0)
}

function heightBefore(place: number): number {
  return place === -1 ? 0 : SIZES.head + place * SIZES.tool
}

/** The groups that lines in view belong to; `rem` in px. */
export function shownGroups(
  lines: readonly GroupLine[],
  items: readonly ListItem[],
  rem: number,
): readonly ShownGroup[] {
  const shown = items.flatMap(({ index, ...item }) => {
    const line = lines[index]
    return line ? [{ ...item, index, line }] : []
  })
  return [...Map.groupBy(shown, ({ line }) => line.group)].map(([group, members]) => {
    const [first] = members
    const top = (first?.top ?? 0) - heightBefore(first?.line.place ?? -1) * rem
    return {
      group,
      top,
      height: heightBefore(group.tools.length) * rem,
      rows: members.flatMap(({ line: { listed, place, before }, index, isStop, top: rowTop }) =>
        listed ? [{ listed, index, isStop, position: before + place + 1, top: rowTop - top }] : [],
      ),
    }
  })
}
