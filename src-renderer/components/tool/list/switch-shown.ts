import { withTools } from '../tool-choices'
import { type ChoiceChange, decideChoices } from '../tool-decisions'
import { toolsWords } from '../tool-messages'
import type { ListedTool } from './list-groups'

/** What becomes of the servers' choices when some of their tools are switched on or off. */
export function choiceChanges(
  all: readonly ListedTool[],
  these: readonly ListedTool[],
  isOn: boolean,
): readonly ChoiceChange[] {
  const ownOf = Map.groupBy(all, ({ tool }) => tool.installationId)
  return [...Map.groupBy(these, ({ tool }) => tool.installationId)].flatMap(
    ([installationId, own]) => {
      const before = own[0]?.server.choice
      if (!before) return []
      const listed = (ownOf.get(installationId) ?? []).map(({ tool }) => tool.name)
      const names = own.map(({ tool }) => tool.name)
      return [{ installationId, before, after: withTools(before, listed, names, isOn) }]
    },
  )
}

/** Switches some tools on or off, with one way back for all of them where `said` tells of it: one tool is its own way back. */
export function switchTools(
  all: readonly ListedTool[],
  these: readonly ListedTool[],
  isOn: boolean,
  said?: string,
): void {
  void decideChoices(choiceChanges(all, these, isOn), said)
}

/** The same for those that are shown or selected. */
export function switchShown(
  all: readonly ListedTool[],
  these: readonly ListedTool[],
  isOn: boolean,
): void {
  switchTools(all, these, isOn, `${toolsWords(these.length)} turned ${isOn ? 'on' : 'off'}.`)
}
