import type { JSX } from 'react'
import { useRef } from 'react'

import type { ServerTools } from '../../../src-shared/domain/agents/tools'
import { reviewPlace } from '../../components/tool/review-place'
import { withTools } from '../../components/tool/tool-choices'
import { decideChoice } from '../../components/tool/tool-decisions'
import { EXPOSURE_LABEL, toolsWords } from '../../components/tool/tool-messages'
import type { Nature } from '../../components/tool/tool-nature'
import { NATURE_SENTENCE, NATURE_WORD } from '../../components/tool/tool-nature'
import { isSwitchable } from '../../components/tool/tool-switch'
import { Button, ButtonLink } from '../../ui/controls/button'
import { formatCount } from '../../ui/text/format'
import { OfferedRow } from './offered-row'
import type { OfferedGroup, OfferedLine, OfferedTool } from './offered-tools'
import { useOfferedWindow } from './use-offered-window'

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
export function ToolLines({
  numbers,
  lines,
  all,
}: {
  readonly numbers: ServerTools
  readonly lines: readonly OfferedLine[]
  /** All tools of the server, found or not. */
  readonly all: readonly OfferedTool[]
}): JSX.Element {
  const list = useRef<HTMLUListElement>(null)
  const { virtualizer, margin } = useOfferedWindow(list, lines)
  const onSwitch: Switch = (tools, isOn, said) => {
    const names = tools.map(({ view }) => view.name)
    const listed = [...new Set(all.map(({ view }) => view.name))]
    void decideChoice(numbers, withTools(numbers.choice, listed, names, isOn), said)
  }
  return (
    <ul
      ref={list}
      aria-label="Tools"
      className="anchor"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start, key }) => {
        const line = lines[index]
        return (
          <li
            className="placed"
            key={String(key)}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={lines.length}
            style={{ transform: `translateY(${start - margin}px)` }}
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
