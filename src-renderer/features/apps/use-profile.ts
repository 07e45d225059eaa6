import { useEffect, useRef, useState } from 'react'

import type { AgentProfile, AgentView } from '../../../src-shared/domain/agents/agent'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'

/** The settings of an app, and the function that saves a change. */
export type ProfileEditing = {
  readonly profile: AgentProfile
  readonly change: (part: Partial<AgentProfile>) => void
}

export type Pending = {
  readonly profile: AgentProfile
  /** Main's settings that the change replaces, as JSON. */
  readonly over: string
  readonly isSending: boolean
}

/**
 * Returns the pending change after main's response. The change stays until main's next state, which may already contain an earlier change.
 */
export function resolvePending(
  pending: Pending | null,
  wanted: AgentProfile,
  { outcome, over }: { readonly outcome: 'done' | 'failed'; readonly over: string },
): Pending | null {
  if (pending?.profile !== wanted) return pending
  return outcome === 'done' ? { profile: wanted, over, isSending: false } : null
}

/** Returns the settings of an app. A change shows immediately and is reverted if main rejects it. */
export function useProfile({ agentId, profile: current }: AgentView): ProfileEditing {
  const [pending, setPending] = useState<Pending | null>(null)
  const over = JSON.stringify(current)
  const latest = useRef(over)
  useEffect(() => {
    latest.current = over
  }, [over])
  // Main's response arrives before its state event.
  const isPending = pending !== null && (pending.isSending || pending.over === over)
  const profile = isPending ? pending.profile : current
  const save = async (wanted: AgentProfile): Promise<void> => {
    setPending({ profile: wanted, over, isSending: true })
    const outcome = await attempt(call('agent.setProfile', { agentId, profile: wanted }))
    setPending((now) => resolvePending(now, wanted, { outcome, over: latest.current }))
  }
  return { profile, change: (part) => void save({ ...profile, ...part }) }
}
