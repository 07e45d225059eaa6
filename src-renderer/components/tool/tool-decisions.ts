import type { ServerTools } from '../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { tellFailure } from '../../ipc/tell-failure'
import { chooseTools } from '../../stores/tools-store'
import { showToast } from '../../ui/overlays/toast'

/** Another choice for a server, with the one that stands. */
export type ChoiceChange = {
  readonly installationId: string
  readonly before: ToolChoice
  readonly after: ToolChoice
}

/** Changes which tools of some servers agents are shown; with `said` a toast says so and offers the way back. */
export async function decideChoices(
  changes: readonly ChoiceChange[],
  said?: string,
): Promise<void> {
  const settled = await Promise.allSettled(
    changes.map(({ installationId, after }) => chooseTools(installationId, after)),
  )
  const refused = settled.find((one) => one.status === 'rejected')
  if (refused) tellFailure(refused.reason)
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
