import { useState } from 'react'

import type { AgentView } from '../../src-shared/domain/agents/agent'
import type { HostAgent, HostChange } from '../../src-shared/domain/agents/host'
import type { AppErrorShape } from '../../src-shared/domain/app-error'
import { call } from '../ipc/call'
import { type AgentChoice, firstChoice } from './agent-choice'
import { refusalWords } from './ask'
import type { HostRow } from './host-rows'
import { useAgents } from './use-agents'
import { type HostChanging, useHostChange } from './use-host-change'

/** A connection that was just written. */
export type Connected = { readonly agentId: string; readonly change: HostChange }

/** The choice of an agent for an app, and the writing of its entry. */
export type Connecting = {
  readonly agents: readonly AgentView[]
  readonly choice: AgentChoice
  readonly choose: (change: Partial<AgentChoice>) => void
  readonly changing: HostChanging
  readonly nameProblem: string | undefined
  /** Why nothing was, or can be, written. */
  readonly refusal: AppErrorShape | undefined
}

const NO_AGENTS: readonly AgentView[] = []

function agentOf({ agentId, name }: AgentChoice): HostAgent | undefined {
  if (agentId !== undefined) return { kind: 'known', agentId }
  return name.trim() === '' ? undefined : { kind: 'new', name: name.trim() }
}

/** Lets a person choose the agent that an app shall be, shows what is written for it, and writes it. */
export function useConnecting(row: HostRow, onWritten: (connected: Connected) => void): Connecting {
  const { fileId } = row.file
  const agents = useAgents()?.agents ?? NO_AGENTS
  const [choice, setChoice] = useState(() => firstChoice(row, agents))
  const agent = agentOf(choice)
  const changing = useHostChange(
    'hosts.previewConnect',
    agent && { fileId, agent },
    async (seen) => {
      if (agent) onWritten(await call('hosts.connect', { fileId, agent, seen }))
    },
  )
  const { problem, refusal } = changing
  const isTaken = problem?.code === 'NAME_TAKEN'
  const taken = isTaken ? refusalWords(problem) : undefined
  return {
    ...{ agents, choice, changing },
    nameProblem: agent ? taken : 'Enter a name.',
    refusal: refusal ?? (isTaken ? undefined : problem),
    choose: (change) => setChoice((before) => ({ ...before, ...change })),
  }
}
