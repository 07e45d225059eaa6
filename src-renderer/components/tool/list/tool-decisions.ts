import type { ServerTools } from '../../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { showFailure } from '../../../ipc/show-failure'
import { chooseTools } from '../../../stores/tools-store'
import { showToast } from '../../../ui/overlays/toast'
import { counted } from '../../../ui/text/format'
import { withTools } from '../tool-choices'
import type { ListedTool } from './list-groups'

/** Another choice for a server, with the one that stands. */
type ChoiceChange = {
  readonly installationId: string
  readonly before: ToolChoice
  readonly after: ToolChoice
}

/** Changes which tools of some servers agents are shown; with `said` a toast says so and offers the way back. */
async function decideChoices(changes: readonly ChoiceChange[], said?: string): Promise<void> {
  const settled = await Promise.allSettled(
    changes.map(({ installationId, after }) => chooseTools(installationId, after)),
  )
  const rejected = settled.find((one) => one.status === 'rejected')
  if (rejected) showFailure(rejected.reason)
  const made = changes.filter((_, index) => settled[index]?.status === 'fulfilled')
  if (said === undefined || made.length === 0) return
  const back = made.map((one) => ({ ...one, before: one.after, after: one.before }))
  showToast({ message: said, action: { label: 'Undo', onAct: () => void decideChoices(back) } })
}

/** The same for one server. */
export async function decideChoice(
  { installationId, choice: before }: Pick<ServerTools, 'installationId' | 'choice'>,
  choice: ToolChoice,
  said?: string,
): Promise<void> {
  await decideChoices([{ installationId, before, after: choice }], said)
}

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
  switchTools(all, these, isOn, `${counted(these.length, 'tool')} turned ${isOn ? 'on' : 'off'}.`)
}
