import clsx from 'clsx'
import { Play, TriangleAlert } from 'lucide-react'
import { type JSX, type KeyboardEvent, memo } from 'react'

import { ButtonLink } from '../../../ui/controls/button'
import { Tag } from '../../../ui/marks/tag'
import { visibleText } from '../../../ui/text/format'
import {
  EXPOSURE_LABEL,
  type Nature,
  NATURE_WORD,
  tokensWords,
  usesWords,
  warningsBrief,
} from '../tool-messages'
import { reviewPlace, toolRunPlace } from '../tool-places'
import { isSwitchable, ToolSwitch } from '../tool-switch'
import type { ListedTool } from './list-groups'

/** What one can do from a row. */
export type ToolRowActs = {
  readonly onToggle: (listed: ListedTool, isOn: boolean) => void
  readonly onOpen: (listed: ListedTool) => void
  /** Selects a tool for bulk actions or lets it go; with `isRange` all from the one before. */
  readonly onSelect: (listed: ListedTool, isRange: boolean) => void
}

type ToolRowProps = {
  readonly listed: ListedTool
  readonly isSelected: boolean
  /** Rows of several servers stand together. */
  readonly isMixed: boolean
  /** What the head of its group says of it already. */
  readonly under?: Nature | undefined
  /** Its line in the list, from 0. */
  readonly index: number
  /** Its place among the tools, from 1. */
  readonly position: number
  readonly total: number
  /** Whether Tab stops here; the arrows lead to the others. */
  readonly isStop: boolean
  /** In px from the top of its group. */
  readonly top: number
  readonly acts: ToolRowActs
}

/** At the row's head: its switch, or the word for what keeps it from agents. */
function Lead({ listed, acts }: ToolRowProps): JSX.Element {
  const { tool, exposure, isOn } = listed
  if (isSwitchable(exposure))
    return (
      <ToolSwitch
        inList
        name={tool.name}
        isOn={isOn}
        onChange={(next) => acts.onToggle(listed, next)}
      />
    )
  return <span className={exposure === 'refused' ? 'dot' : 'dot is-degraded'} aria-hidden />
}

function Exposure({ listed: { tool, exposure } }: ToolRowProps): JSX.Element | null {
  if (isSwitchable(exposure)) return null
  const change = tool.change === 'changed' ? 'Changed' : 'New'
  return (
    <span className="tool-standing flex items-center gap-1">
      <Tag tone={exposure === 'refused' ? 'plain' : 'warn'}>
        {exposure === 'held' ? change : EXPOSURE_LABEL[exposure]}
      </Tag>
      {exposure !== 'quarantined' && (
        <ButtonLink
          tabIndex={-1}
          size="small"
          href={reviewPlace(tool.installationId, tool.name)}
          aria-label={`Review ${visibleText(tool.name)}`}
        >
          Review
        </ButtonLink>
      )}
    </span>
  )
}

/** What a row says besides its name: why agents are not shown it, else its description. */
function aboutOf({ tool, exposure }: ListedTool): string {
  const why = isSwitchable(exposure) || exposure === 'held' ? undefined : tool.reason
  const about = visibleText(why ?? tool.description ?? tool.title ?? '')
  return about.replace(/\s+/gu, ' ').trim() || 'No description'
}

/** One tool in one line: Enter opens it, Space switches it, with Shift it selects it. Drawn again only when something of it is another. */
export const ToolRow = memo(function ToolRow(props: ToolRowProps): JSX.Element {
  const { listed, under, isSelected, isMixed, index, isStop, top, acts } = props
  const { tool, natures, exposure, isOn, server } = listed
  const press = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (event.key !== ' ') return
    event.preventDefault()
    if (event.type !== 'keydown') return
    if (event.shiftKey) acts.onSelect(listed, false)
    else if (isSwitchable(exposure)) acts.onToggle(listed, !isOn)
  }
  return (
    <li
      className={clsx(
        'tool-row absolute inset-x-0 top-0 grid items-center gap-3 border-b border-line px-5',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      aria-posinset={props.position}
      aria-setsize={props.total}
      style={{ top }}
    >
      <input
        type="checkbox"
        className="check"
        tabIndex={-1}
        aria-label={`Select ${visibleText(tool.name)}`}
        checked={isSelected}
        onChange={() => undefined}
        onClick={({ shiftKey }) => acts.onSelect(listed, shiftKey)}
      />
      <Lead {...props} />
      <button
        type="button"
        className="tool-hit bare covers flex min-w-0 items-baseline gap-2"
        data-index={index}
        tabIndex={isStop ? 0 : -1}
        aria-keyshortcuts="Space Shift+Space"
        onClick={() => acts.onOpen(listed)}
        onKeyDown={press}
        onKeyUp={press}
      >
        <code className={exposure === 'exposed' ? 'truncate font-medium' : 'truncate text-muted'}>
          {visibleText(tool.name)}
        </code>
        {isMixed && (
          <span className="max-w-1/2 truncate flex-none text-small text-faint">{server.name}</span>
        )}
      </button>
      <span className="hide-small truncate text-faint" dir="auto">
        {aboutOf(listed)}
      </span>
      <span className="tool-tail flex items-center gap-2">
        <span className="tool-marks gapless hide-small flex items-center gap-1">
          {tool.securityWarnings.length > 0 && (
            <Tag tone="warn" icon={TriangleAlert}>
              {warningsBrief(tool.securityWarnings)}
            </Tag>
          )}
          {natures
            .filter((nature) => nature !== 'other' && nature !== under)
            .map((nature) => (
              <Tag key={nature}>{NATURE_WORD[nature]}</Tag>
            ))}
        </span>
        <Exposure {...props} />
        {tool.uses > 0 && (
          <span className="hide-small text-right text-small whitespace-nowrap text-faint tabular-nums">
            {usesWords(tool.uses)}
          </span>
        )}
      </span>
      <span className="row-size hide-small text-right text-small whitespace-nowrap text-faint tabular-nums">
        {tool.tokens !== undefined && tokensWords(tool.tokens)}
      </span>
      <ButtonLink
        tabIndex={-1}
        size="small"
        variant="quiet"
        icon={Play}
        className="row-action hide-small"
        href={toolRunPlace(tool.installationId, 'tool', tool.name)}
        aria-label={`Try it: ${visibleText(tool.name)}`}
      >
        Try it
      </ButtonLink>
    </li>
  )
})
