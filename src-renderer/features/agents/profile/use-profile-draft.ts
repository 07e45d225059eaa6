import { useMemo, useState } from 'react'

import type { AgentProfile, AgentView } from '../../../../src-shared/domain/agents/agent'
import { refusalWords } from '../../../host-parts/ask'
import { call } from '../../../ipc/call'
import { useServers } from '../../../stores/app-store'
import {
  checkedProfile,
  draftOf,
  type DraftProblems,
  isSameDraft,
  type ProfileDraft,
} from './profile-draft'

/** An agent that is edited. */
export type Editing = {
  readonly draft: ProfileDraft
  readonly isDirty: boolean
  readonly problems: DraftProblems
  /** What the draft means; undefined while something typed means nothing. */
  readonly profile: AgentProfile | undefined
  readonly isBusy: boolean
  /** Why main did not take it; nothing typed is lost. */
  readonly refusal: string | undefined
  readonly change: (part: Partial<ProfileDraft>) => void
  readonly undo: () => void
  readonly save: () => void
}

/** Sends what is another than before. */
async function send(
  { agentId, name: oldName, profile: oldProfile }: AgentView,
  name: string,
  profile: AgentProfile,
): Promise<void> {
  if (name !== oldName) await call('agent.rename', { agentId, name })
  const [before, now] = [oldProfile, profile].map((one) => draftOf({ name, profile: one }))
  if (before && now && !isSameDraft(before, now))
    await call('agent.setProfile', { agentId, profile })
}

/** The draft of an agent; while nothing is typed it follows what main tells. */
export function useProfileDraft(agent: AgentView): Editing {
  const base = draftOf(agent)
  const servers = useServers()
  const ids = useMemo(() => servers.map(({ installationId }) => installationId), [servers])
  const [typed, setTyped] = useState<ProfileDraft | null>(null)
  // Main tells of what it took a moment after it took it.
  const [taken, setTaken] = useState<{ draft: ProfileDraft; over: ProfileDraft } | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const known = taken && isSameDraft(taken.over, base) ? taken.draft : base
  const draft = typed ?? known
  const checked = checkedProfile(draft, ids)

  const save = async (): Promise<void> => {
    if (checked.profile === undefined || isBusy) return
    const { name, profile } = checked
    setIsBusy(true)
    setRefusal(undefined)
    try {
      await send(agent, name, profile)
      setTaken({ draft: draftOf({ name, profile }), over: base })
      setTyped((now) => (now === typed ? null : now))
    } catch (thrown) {
      setRefusal(refusalWords(thrown))
    } finally {
      setIsBusy(false)
    }
  }
  return {
    draft,
    isDirty: typed !== null && !isSameDraft(typed, known),
    problems: checked.problems ?? {},
    profile: checked.profile,
    isBusy,
    refusal,
    change: (part) => setTyped({ ...draft, ...part }),
    undo: () => {
      setTyped(null)
      setRefusal(undefined)
    },
    save: () => void save(),
  }
}
