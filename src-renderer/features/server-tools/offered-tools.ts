import type { Tool } from '../../../src-shared/domain/agents/capability'
import type { ToolExposure, ToolView } from '../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { chooser } from '../../components/tool/tool-choices'
import type { Nature } from '../../components/tool/tool-messages'
import { NATURES, naturesOf } from '../../components/tool/tool-messages'

/** A tool of a server: its definition as it was listed, and how it stands by the choice that was made last. */
export type OfferedTool = {
  readonly key: string
  readonly view: ToolView
  /** Missing where the list that it stands in is not here yet. */
  readonly tool: Tool | undefined
  readonly isOn: boolean
  readonly exposure: ToolExposure
}

/** Tools that wait for a decision, or those of one nature. A tool that says several is in the group of the first. */
export type OfferedGroup = {
  readonly kind: 'held' | Nature
  readonly tools: readonly OfferedTool[]
}

/** A line of the list: the head of a group or a tool. */
export type OfferedLine =
  | { readonly kind: 'head'; readonly key: string; readonly group: OfferedGroup }
  | {
      readonly kind: 'tool'
      readonly key: string
      readonly offered: OfferedTool
      /** What the head of its group says already. */
      readonly under: OfferedGroup['kind'] | undefined
    }

/** Only the switch is known before main answers; what else keeps a tool away stays. */
function exposureBy({ exposure, reason }: ToolView, isOn: boolean): ToolExposure {
  if (exposure === 'exposed' && !isOn) return 'off'
  return exposure === 'off' && isOn && reason === undefined ? 'exposed' : exposure
}

/** Joins how tools stand with their definitions; of several with one name the first belongs to the first. */
export function offeredTools(
  views: readonly ToolView[],
  tools: readonly Tool[],
  choice: ToolChoice,
): readonly OfferedTool[] {
  const byName = Map.groupBy(tools, ({ name }) => name)
  const isChosen = chooser(choice)
  const seen = new Map<string, number>()
  return views.map((view) => {
    const place = seen.get(view.name) ?? 0
    seen.set(view.name, place + 1)
    const isOn = isChosen(view.name)
    return {
      key: `${place}:${view.name}`,
      view,
      tool: byName.get(view.name)?.[place],
      isOn,
      exposure: exposureBy(view, isOn),
    }
  })
}

/** Those that have every word of a search in their name, title or description. */
export function foundOffered(all: readonly OfferedTool[], query: string): readonly OfferedTool[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return all
  return all.filter(({ view, tool }) => {
    const text = [view.name, view.title, tool?.description ?? view.description].join('\n')
    return words.every((word) => text.toLowerCase().includes(word))
  })
}

const GROUPS = ['held', ...NATURES] as const

function groupOf({ view, exposure }: OfferedTool): OfferedGroup['kind'] {
  return exposure === 'held' ? 'held' : (naturesOf(view.annotations)[0] ?? 'other')
}

/** The lines of the list: what is held first, then in groups where the natures differ. */
export function offeredLines(found: readonly OfferedTool[]): readonly OfferedLine[] {
  const byGroup = Map.groupBy(found, groupOf)
  const lineUnder =
    (under: OfferedGroup['kind'] | undefined) =>
    (offered: OfferedTool): OfferedLine => ({ kind: 'tool', key: offered.key, offered, under })
  if (byGroup.size < 2) return found.map(lineUnder(undefined))
  return GROUPS.flatMap((kind) => {
    const tools = byGroup.get(kind) ?? []
    if (tools.length === 0) return []
    return [{ kind: 'head', key: kind, group: { kind, tools } }, ...tools.map(lineUnder(kind))]
  })
}
