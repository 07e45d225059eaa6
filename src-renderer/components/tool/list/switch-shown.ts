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

/** Switches some tools on or off, with one way back for all of them. */
export function switchShown(
  all: readonly ListedTool[],
  these: readonly ListedTool[],
  isOn: boolean,
): void {
  const said = `${toolsWords(these.length)} turned ${isOn ? 'on' : 'off'}.`
  void decideChoices(choiceChanges(all, these, isOn), said)
}

/** Switches one tool, which is its own way back. */
export function switchOne(all: readonly ListedTool[], one: ListedTool, isOn: boolean): void {
  void decideChoices(choiceChanges(all, [one], isOn))
}
