import { ChevronDown } from 'lucide-react'
import { type JSX, useCallback, useMemo, useState } from 'react'
import { Link } from 'wouter'

import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { useNow } from '../../../stores/app-store'
import { Button, ButtonLink } from '../../../ui/controls/button'
import { Menu, MenuAction, MenuChoices, MenuSeparator } from '../../../ui/controls/menu'
import { type ListItem, remInPx, useVirtualList } from '../../../ui/list/virtual-list'
import { Tag } from '../../../ui/marks/tag'
import { counted, formatAgo, formatCount } from '../../../ui/text/format'
import { namesOf } from '../tool-choices'
import { choiceLabel, NATURE_LABEL, NATURE_MESSAGE, tokensText } from '../tool-messages'
import { reviewPath } from '../tool-paths'
import { isSwitchable } from '../tool-switch'
import {
  decideChoice,
  type GroupServer,
  type ListedTool,
  type ListGroup,
  switchShown,
  type ToolListing,
} from './list-groups'
import { ToolRow, type ToolRowActions } from './tool-detail'

const CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'none', label: 'None' },
  { value: 'list', label: 'Selected' },
] as const satisfies readonly { readonly value: ToolChoice['kind']; readonly label: string }[]

function ChoiceMenu(props: {
  readonly server: GroupServer
  readonly tools: readonly ListedTool[]
}): JSX.Element {
  const { server, tools } = props
  const { numbers, name, choice } = server
  const all = tools.map(({ tool }) => tool.name)
  const readOnly = tools
    .filter(({ natures }) => natures.includes('readOnly'))
    .map(({ tool }) => tool.name)
  const choose = (next: ToolChoice, message: string): void =>
    void decideChoice({ installationId: numbers.installationId, choice }, next, message)
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
          aria-label={`Tools of ${name} for agents: ${choiceLabel(choice)}`}
        >
          {choiceLabel(choice)}
          <ChevronDown className="icon icon-s" aria-hidden />
        </Button>
      }
    >
      <MenuChoices value={choice.kind} choices={CHOICES} onChange={chooseKind} />
      <MenuSeparator />
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

function factsOf(
  { numbers, isEnabled }: GroupServer,
  serverTools: readonly ListedTool[],
  now: number,
): string[] {
  if (numbers.listedAt === undefined && serverTools.length === 0) return ['Not listed yet']
  const exposed = serverTools.filter(({ exposure }) => exposure === 'exposed').length
  const when = numbers.listedAt === undefined ? '' : `listed ${formatAgo(numbers.listedAt, now)}`
  return [
    isEnabled ? '' : 'Server turned off',
    serverTools.length === 0
      ? 'No tools'
      : `${formatCount(exposed)} of ${formatCount(serverTools.length)} available`,
    exposed === 0 ? '' : tokensText(numbers.tokens),
    numbers.isLive ? '' : when,
  ].filter(Boolean)
}

function ServerHeader(props: {
  readonly server: GroupServer
  readonly own: readonly ListedTool[]
  readonly now: number
}): JSX.Element {
  const { server, own: serverTools, now } = props
  const { numbers, name } = server
  const missingCount = numbers.missing.length
  return (
    <>
      <h3 className="truncate">
        <Link className="text-foreground" href={`/servers/${numbers.installationId}/tools`}>
          {name}
        </Link>
      </h3>
      <span className="hide-small truncate text-small text-faint tabular-nums">
        {factsOf(server, serverTools, now).join(' · ')}
      </span>
      {missingCount > 0 && (
        <Tag tone="warn">{`${counted(missingCount, 'selected tool')} no longer listed`}</Tag>
      )}
      <span className="min-w-0 flex-1" />
      {serverTools.length > 0 && <ChoiceMenu server={server} tools={serverTools} />}
    </>
  )
}

function GroupSwitch(props: {
  readonly label: string
  readonly tools: readonly ListedTool[]
  readonly all: readonly ListedTool[]
}): JSX.Element | null {
  const { label, tools, all } = props
  const these = tools.filter(({ exposure }) => isSwitchable(exposure))
  if (these.length === 0) return null
  const isOff = these.every(({ isOn }) => !isOn)
  const verb = isOff ? 'Turn on group' : 'Turn off group'
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={`${verb}: ${label}`}
      onClick={() => switchShown(all, these, isOff)}
    >
      {verb}
    </Button>
  )
}

/** The header of a group, which sticks to the top while its tools scroll. */
function GroupHeader({ group, label, all, own, now }: HeaderProps): JSX.Element {
  const { kind, server, nature, tools } = group
  if (server) return <ServerHeader {...{ server, own, now }} />
  const [first] = tools
  const needsReview = kind === 'needsReview'
  const detail = needsReview
    ? 'New or changed since your last approval.'
    : nature && NATURE_MESSAGE[nature]
  return (
    <>
      <h3 className="truncate">{label}</h3>
      <span className="hide-small truncate text-small text-faint tabular-nums">
        {[counted(tools.length, 'tool'), detail].filter(Boolean).join(' · ')}
      </span>
      <span className="min-w-0 flex-1" />
      {nature && <GroupSwitch {...{ label, tools, all }} />}
      {needsReview && first && tools.every(({ server: one }) => one === first.server) && (
        <ButtonLink size="small" href={reviewPath(first.tool.installationId)}>
          Review
        </ButtonLink>
      )}
    </>
  )
}

const NO_TOOLS: readonly ListedTool[] = []

function groupLabel({ kind, server, nature }: ListGroup): string {
  if (server) return server.name
  if (nature) return NATURE_LABEL[nature]
  return kind === 'needsReview' ? 'Needs review' : 'All tools'
}

type HeaderProps = {
  readonly group: ListGroup
  readonly label: string
  readonly all: readonly ListedTool[]
  /** All tools of the group's server. */
  readonly own: readonly ListedTool[]
  readonly now: number
}

type GroupProps = Omit<HeaderProps, 'group' | 'label'> & {
  readonly shown: ShownGroup
  readonly isOneServer: boolean
  readonly total: number
  readonly selected: ReadonlySet<string>
  readonly acts: ToolRowActions
}

function Group({
  shown,
  isOneServer,
  total,
  selected,
  acts: actions,
  ...rest
}: GroupProps): JSX.Element {
  const { group, top, height, rows } = shown
  const label = groupLabel(group)
  return (
    <section className="absolute inset-x-0 top-0" style={{ top, height }} aria-label={label}>
      <header className="group-head sticky top-0 z-1 flex items-center gap-2 border-b border-line bg-surface">
        <GroupHeader {...{ group, label }} {...rest} />
      </header>
      {group.tools.length > 0 && (
        <ul aria-label={`Tools: ${label}`}>
          {rows.map(({ listed, ...item }) => (
            <ToolRow
              key={listed.key}
              {...item}
              listed={listed}
              isSelected={selected.has(listed.key)}
              isMixed={!isOneServer && group.kind !== 'server'}
              under={group.nature}
              total={total}
              acts={actions}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Sizes of what covers the list while it scrolls, in rem: tool bar and group header at the start, padding at the end. */
const COVER = { start: 5.25, end: 1 }
/** The tools in their groups, virtualized. */
export function ToolGroups(
  props: Pick<ToolListing, 'isOneServer' | 'groups' | 'all'> &
    Pick<GroupProps, 'selected' | 'acts'>,
): JSX.Element {
  const { isOneServer, groups, all, selected, acts: actions } = props
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
    <div {...holder} className="relative mb-3">
      {shownGroups(lines, items, rem).map((shown) => (
        <Group
          key={shown.group.key}
          shown={shown}
          own={byServer.get(shown.group.server?.numbers.installationId ?? '') ?? NO_TOOLS}
          {...{ isOneServer, all, now, total, selected, acts: actions }}
        />
      ))}
    </div>
  )
}

/** Heights of lines, in rem; a group ends with a gap. */
const SIZES = { tool: 2.25, head: 2.5, gap: 1 } as const

/** A line of the list: the header of a group, or one of its tools. */
type GroupLine = {
  readonly key: string
  readonly group: ListGroup
  readonly listed?: ListedTool
  /** Index of the tool in its group, from 0; -1 for the header. */
  readonly place: number
  /** Number of tools before the group. */
  readonly before: number
}

/** A visible group with its visible rows; lengths are in px. */
type ShownGroup = {
  readonly group: ListGroup
  /** From the top of the list. */
  readonly top: number
  readonly height: number
  readonly rows: readonly {
    readonly listed: ListedTool
    readonly index: number
    readonly isStop: boolean
    /** Position among all tools of the list, from 1. */
    readonly position: number
    /** From the top of the group. */
    readonly top: number
  }[]
}

/** Returns the lines of all groups in order. */
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

/** Returns the height of a line, in rem. */
export function lineHeight({ place: position, group }: GroupLine): number {
  const isLast = position === group.tools.length - 1
  return (position === -1 ? SIZES.head : SIZES.tool) + (isLast ? SIZES.gap : 0)
}

function heightBefore(position: number): number {
  return position === -1 ? 0 : SIZES.head + position * SIZES.tool
}

/** Returns the groups of the visible lines; `rem` in px. */
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
      rows: members.flatMap(
        ({ line: { listed, place: position, before }, index, isStop, top: rowTop }) =>
          listed
            ? [{ listed, index, isStop, position: before + position + 1, top: rowTop - top }]
            : [],
      ),
    }
  })
}
