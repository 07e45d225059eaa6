import { useState } from 'react'

import type { AgentProfile, AgentView } from '../../../src-shared/domain/agents/agent'
import { ask } from '../../components/app/ask'

/** The settings of an app, and the function that saves a change. */
export type ProfileEditing = {
  readonly profile: AgentProfile
  readonly change: (part: Partial<AgentProfile>) => void
}

type Pending = {
  readonly profile: AgentProfile
  /** The settings of main that the change replaces, as JSON. */
  readonly over: string
  readonly isSending: boolean
}

/** The settings of an app; a change shows immediately and is taken back when main rejects it. */
export function useProfile({ agentId, profile: current }: AgentView): ProfileEditing {
  const [pending, setPending] = useState<Pending | null>(null)
  const over = JSON.stringify(current)
  // Main answers before its state event arrives.
  const isPending = pending !== null && (pending.isSending || pending.over === over)
  const profile = isPending ? pending.profile : current
  const save = async (wanted: AgentProfile): Promise<void> => {
    setPending({ profile: wanted, over, isSending: true })
    const done = await ask('agent.setProfile', { agentId, profile: wanted })
    setPending((now) => {
      if (now?.profile !== wanted) return now
      return done ? { ...now, isSending: false } : null
    })
  }
  return { profile, change: (part) => void save({ ...profile, ...part }) }
}
