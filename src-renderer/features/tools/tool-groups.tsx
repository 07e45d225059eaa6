import type { JSX, KeyboardEvent, RefObject } from 'react'
import { useMemo, useRef, useState } from 'react'

import { useNow } from '../../stores/now'
import { GroupHead } from './group-head'
import type { ListedTool, ListGroup } from './list-groups'
import { ToolRow, type ToolRowActs } from './tool-row'
import { type ShownGroup, useToolWindow } from './use-tool-window'

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
