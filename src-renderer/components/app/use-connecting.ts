import { useState } from 'react'

import type { AgentsState, AgentView } from '../../../src-shared/domain/agents/agent'
import type {
  HostAgent,
  HostChange,
  HostChangePreview,
} from '../../../src-shared/domain/agents/host'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { call } from '../../ipc/call'
import { errorText } from '../../ipc/show-failure'
import { useAction, useRequest } from '../../ipc/use-request'
import { useApp, useServers } from '../../stores/app-store'
import type { HostRow } from './host-rows'

/** A connection that was just written. */
export type Connected = { readonly agentId: string; readonly change: HostChange }

/** The choice of an agent for an app, and the change that writes its entry. */
export type Connecting = HostChanging & {
  readonly agents: readonly AgentView[]
  readonly choice: AgentChoice
  readonly choose: (change: Partial<AgentChoice>) => void
  /** Entries that duplicate what Patchbay provides, with the user's choice; undefined if there are none. */
  readonly duplicates: HostChangePreview['duplicates']
  readonly turnDuplicatesOff: (isOff: boolean) => void
  readonly nameProblem: string | undefined
}

const NO_AGENTS: readonly AgentView[] = []

function agentOf({ agentId, name }: AgentChoice): HostAgent | undefined {
  if (agentId !== undefined) return { kind: 'known', agentId }
  return name.trim() === '' ? undefined : { kind: 'new', name: name.trim() }
}

/** Returns a key of the servers that may duplicate an app's own; the key changes with the servers. */
function useActiveServersKey(): string {
  const servers = useServers()
  return servers
    .filter(({ enabled, status }) => enabled && !isFailed(status))
    .map(({ installationId }) => installationId)
    .join(' ')
}

/** Lets the user choose the agent of an app, previews the change to its file and writes it. */
export function useConnecting(row: HostRow, onWritten: (connected: Connected) => void): Connecting {
  const { fileId } = row.file
  const agents = useAgents()?.agents ?? NO_AGENTS
  const [choice, setChoice] = useState(() => firstChoice(row, agents))
  const [duplicatesChoice, setDuplicatesChoice] = useState<'off' | 'keep' | undefined>(undefined)
  const agent = agentOf(choice)
  const input = agent && {
    fileId,
    agent,
    ...(duplicatesChoice && { duplicates: duplicatesChoice }),
  }
  const changing = useHostChange(
    'hosts.previewConnect',
    input,
    async (previewHash) => {
      if (input) onWritten(await call('hosts.connect', { ...input, previewHash }))
    },
    useActiveServersKey(),
  )
  const { problem, refusal, preview } = changing
  const duplicates = preview?.duplicates
  const isNameTaken = problem?.code === 'NAME_TAKEN'
  const takenMessage = isNameTaken ? errorText(problem) : undefined
  return {
    ...{ ...changing, agents, choice },
    // The preview for the latest choice has not arrived yet.
    duplicates: duplicates && {
      ...duplicates,
      isIncluded: duplicatesChoice ? duplicatesChoice === 'off' : duplicates.isIncluded,
    },
    turnDuplicatesOff: (isOff) => setDuplicatesChoice(isOff ? 'off' : 'keep'),
    nameProblem: agent ? takenMessage : 'Enter a name.',
    refusal: refusal ?? (isNameTaken ? undefined : problem),
    choose: (change) => setChoice((before) => ({ ...before, ...change })),
  }
}

type AgentChoice = { readonly agentId: string | undefined; readonly name: string }

/** Returns the app's current agent, or the one with its name; else a new agent with its name. */
export function firstChoice(
  { host, connection }: { host: Pick<HostRow['host'], 'name'> } & Pick<HostRow, 'connection'>,
  agents: readonly Pick<AgentView, 'agentId' | 'name'>[],
): AgentChoice {
  const current = agents.find(({ agentId }) => agentId === connection?.agentId)
  const name = host.name.toLowerCase()
  const existing = current ?? agents.find((agent) => agent.name.toLowerCase() === name)
  return { agentId: existing?.agentId, name: host.name }
}

type PreviewChannel = 'hosts.previewConnect' | 'hosts.previewDisconnect'

/** Debounce time before a preview request, in ms. */
const DEBOUNCE_MS = 150

/** A change of a file that a user reviews and confirms. */
type HostChanging = {
  /** The preview of the current request; of the previous one until it arrives. */
  readonly preview: HostChangePreview | undefined
  /** Why the current request has no preview. */
  readonly problem: AppErrorShape | undefined
  readonly refusal: AppErrorShape | undefined
  /** Whether the change can be written now, exactly as shown. */
  readonly canWrite: boolean
  readonly isBusy: boolean
  readonly write: () => void
}

/** Previews a change to a file and writes it. `apply` gets the preview that the user saw, and rejects if nothing was written. */
export function useHostChange<C extends PreviewChannel>(
  channel: C,
  input: RequestInput<C> | undefined,
  apply: (seen: string) => Promise<void>,
  state?: string,
): HostChanging {
  const [round, setRound] = useState(0)
  const { value, loaded } = useRequest(channel, input, {
    state: [round, state],
    debounceMs: DEBOUNCE_MS,
  })
  // Both channels return the same shape.
  const preview = value as HostChangePreview | undefined
  const problem = loaded.kind === 'failed' ? loaded.problem : undefined
  const canWrite =
    loaded.kind === 'ready' && preview !== undefined && preview.obstacle === undefined
  const writing = useAction((seen: string) =>
    apply(seen).catch((thrown: unknown) => {
      // The file may have changed, whatever the error was.
      setRound((before) => before + 1)
      throw thrown
    }),
  )
  return {
    ...{ preview, problem, canWrite, isBusy: writing.isBusy, refusal: refusalOf(writing.problem) },
    write: () => {
      if (canWrite) writing.run(preview.previewHash)
    },
  }
}

function refusalOf(problem: AppErrorShape | undefined): AppErrorShape | undefined {
  if (problem?.code !== 'HOST_FILE_CHANGED') return problem
  return {
    code: problem.code,
    message: 'The file changed, so nothing was saved. Review the new changes below.',
  }
}

/** Returns all agents and the endpoint; undefined until the first snapshot. */
export function useAgents(): AgentsState | undefined {
  return useApp(({ app }) => app?.agents)
}

/** Returns one agent; undefined if none has this id. */
export function useAgent(agentId: string): AgentView | undefined {
  return useApp(({ app }) => app?.agents.agents.find((agent) => agent.agentId === agentId))
}

/** Returns the address of the endpoint, even if it is not open yet. */
export function useGatewayUrl(): string {
  return useApp(({ app }) => {
    if (app?.agents.gateway.kind === 'open') return app.agents.gateway.url
    return `http://127.0.0.1:${String(app?.settings.gatewayPort ?? '')}/mcp`
  })
}
