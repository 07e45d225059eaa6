import { useState } from 'react'

import type { AgentsState, AgentView } from '../../../src-shared/domain/agents/agent'
import type {
  ConnectionState,
  HostAgent,
  HostChange,
  HostChangePreview,
  HostConnection,
  HostFile,
  HostsState,
  HostView,
} from '../../../src-shared/domain/agents/host'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { call } from '../../ipc/call'
import { refusalWords } from '../../ipc/show-failure'
import { useAction, useRequest } from '../../ipc/use-request'
import { useApp, useServers } from '../../stores/app-store'
import { visibleText } from '../../ui/text/format'

/** A connection that was just written. */
export type Connected = { readonly agentId: string; readonly change: HostChange }

/** The choice of an agent for an app, and the writing of its entry. */
export type Connecting = HostChanging & {
  readonly agents: readonly AgentView[]
  readonly choice: AgentChoice
  readonly choose: (change: Partial<AgentChoice>) => void
  /** Entries that run what Patchbay provides, with the choice of the user; undefined where there are none. */
  readonly doubles: HostChangePreview['doubles']
  readonly turnDoublesOff: (isOff: boolean) => void
  readonly nameProblem: string | undefined
}

const NO_AGENTS: readonly AgentView[] = []

function agentOf({ agentId, name }: AgentChoice): HostAgent | undefined {
  if (agentId !== undefined) return { kind: 'known', agentId }
  return name.trim() === '' ? undefined : { kind: 'new', name: name.trim() }
}

/** The servers that may double an app's own, as a text that is another one when they are others. */
function useProvided(): string {
  const servers = useServers()
  return servers
    .filter(({ enabled, status }) => enabled && !isFailed(status))
    .map(({ installationId }) => installationId)
    .join(' ')
}

/** Lets a user choose the agent that an app shall be, shows what is written for it, and writes it. */
export function useConnecting(row: HostRow, onWritten: (connected: Connected) => void): Connecting {
  const { fileId } = row.file
  const agents = useAgents()?.agents ?? NO_AGENTS
  const [choice, setChoice] = useState(() => firstChoice(row, agents))
  const [doublesChoice, setDoublesChoice] = useState<'off' | 'keep' | undefined>(undefined)
  const agent = agentOf(choice)
  const input = agent && { fileId, agent, ...(doublesChoice && { doubles: doublesChoice }) }
  const changing = useHostChange(
    'hosts.previewConnect',
    input,
    async (seen) => {
      if (input) onWritten(await call('hosts.connect', { ...input, seen }))
    },
    useProvided(),
  )
  const { problem, refusal, preview } = changing
  const doubles = preview?.doubles
  const isTaken = problem?.code === 'NAME_TAKEN'
  const taken = isTaken ? refusalWords(problem) : undefined
  return {
    ...{ ...changing, agents, choice },
    // The preview of what was just chosen is still to come.
    doubles: doubles && {
      ...doubles,
      isIncluded: doublesChoice ? doublesChoice === 'off' : doubles.isIncluded,
    },
    turnDoublesOff: (isOff) => setDoublesChoice(isOff ? 'off' : 'keep'),
    nameProblem: agent ? taken : 'Enter a name.',
    refusal: refusal ?? (isTaken ? undefined : problem),
    choose: (change) => setChoice((before) => ({ ...before, ...change })),
  }
}

type AgentChoice = { readonly agentId: string | undefined; readonly name: string }

/** The agent that the app was, or the one of its name; else a new one of its name. */
export function firstChoice(
  { host, connection }: { host: Pick<HostRow['host'], 'name'> } & Pick<HostRow, 'connection'>,
  agents: readonly Pick<AgentView, 'agentId' | 'name'>[],
): AgentChoice {
  const own = agents.find(({ agentId }) => agentId === connection?.agentId)
  const name = host.name.toLowerCase()
  const known = own ?? agents.find((agent) => agent.name.toLowerCase() === name)
  return { agentId: known?.agentId, name: host.name }
}

type PreviewChannel = 'hosts.previewConnect' | 'hosts.previewDisconnect'

/** How long what is asked for rests before it is asked, in ms: not every keystroke is a question. */
const REST_MS = 150

/** A change of a file that a user looks at, and agrees to. */
type HostChanging = {
  /** Of what is asked for now, or, until that is there, of what was before. */
  readonly preview: HostChangePreview | undefined
  /** Why there is none of what is asked for now. */
  readonly problem: AppErrorShape | undefined
  readonly refusal: AppErrorShape | undefined
  /** Whether exactly what is shown can be written now. */
  readonly canWrite: boolean
  readonly isBusy: boolean
  readonly write: () => void
}

/** Shows what a change makes of a file and makes it: `apply` is given what was seen, and rejects where nothing was written. */
export function useHostChange<C extends PreviewChannel>(
  channel: C,
  input: RequestInput<C> | undefined,
  apply: (seen: string) => Promise<void>,
  state?: string,
): HostChanging {
  const [round, setRound] = useState(0)
  const { value, loaded } = useRequest(channel, input, { state: [round, state], restMs: REST_MS })
  // The two channels answer alike.
  const preview = value as HostChangePreview | undefined
  const problem = loaded.kind === 'failed' ? loaded.problem : undefined
  const canWrite =
    loaded.kind === 'ready' && preview !== undefined && preview.obstacle === undefined
  const writing = useAction((seen: string) =>
    apply(seen).catch((thrown: unknown) => {
      // Whatever stood in the way, the file may be another now.
      setRound((before) => before + 1)
      throw thrown
    }),
  )
  return {
    ...{ preview, problem, canWrite, isBusy: writing.isBusy, refusal: refusalOf(writing.problem) },
    write: () => {
      if (canWrite) writing.run(preview.seen)
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

/** A line of the list: a file of an app that is here, with one of its connections where it has any. */
export type HostRow = {
  readonly rowId: string
  readonly host: HostView
  readonly file: HostFile
  readonly connection: HostConnection | undefined
  /** The newest change of this file that can be taken back. */
  readonly change: HostChange | undefined
}

/** Apps that are on this computer, line by line, and the names of those that are not. */
export function hostRows({ hosts, changes }: Pick<HostsState, 'hosts' | 'changes'>): {
  readonly rows: readonly HostRow[]
  readonly away: readonly string[]
} {
  const rowsOf = (host: HostView, file: HostFile): HostRow[] => {
    const change = changes.find(({ fileId }) => fileId === file.fileId)
    // It stays the same when the file gets its first connection, or loses it.
    const of = (connection: HostConnection | undefined, index = 0): HostRow => ({
      rowId: `${file.fileId} ${String(index)}`,
      ...{ host, file, connection, change },
    })
    return file.connections.length === 0 ? [of(undefined)] : file.connections.map(of)
  }
  const here = hosts.filter(({ isHere }) => isHere)
  return {
    rows: here.flatMap((host) => host.files.flatMap((file) => rowsOf(host, file))),
    away: hosts.filter(({ isHere }) => !isHere).map(({ name }) => name),
  }
}

type Spoken = Pick<HostConnection, 'entryName' | 'state'>

/** Whether a connection no longer works as written, so that the user has to decide. */
export function isBrokenConnection(state: ConnectionState): boolean {
  return state === 'edited' || state === 'moved' || state === 'gone' || state === 'agentGone'
}

/** The state of a connection as a sentence; `agentName` is missing where the agent is not known here. */
export function connectionSentence(
  { entryName, state }: Spoken,
  hostName: string,
  agentName: string | undefined,
): string {
  const entry = `Entry ${visibleText(entryName)}`
  switch (state) {
    case 'asWritten':
      return agentName === undefined ? 'Connected.' : `Connected as ${agentName}.`
    case 'edited':
      return `${entry} was changed outside Patchbay.`
    case 'moved':
      return `${entry} starts Patchbay from an earlier location, which may fail.`
    case 'gone':
      return `${entry} is missing from the file, so ${hostName} can’t reach Patchbay.`
    case 'unknown':
      return 'Patchbay can’t read the file right now.'
    case 'agentGone':
      return `${entry} uses a removed key, so Patchbay rejects ${hostName}.`
    case 'foreign':
      return `${entry} connects to Patchbay, but was added outside Patchbay.`
  }
}

/** A connection that the user has to decide about. */
type HostNeed = { readonly hostName: string; readonly connection: HostConnection }

/** All of them, in the order of the hosts. */
export function appAttentionItems(hosts: readonly HostView[]): readonly HostNeed[] {
  return hosts.flatMap(({ name, files }) =>
    files.flatMap(({ connections }) =>
      connections
        .filter(({ state }) => isBrokenConnection(state))
        .map((connection) => ({ hostName: name, connection })),
    ),
  )
}

/** All agents and the endpoint; undefined until the first snapshot. */
export function useAgents(): AgentsState | undefined {
  return useApp(({ app }) => app?.agents)
}

/** One agent, or undefined where there is none with this id. */
export function useAgent(agentId: string): AgentView | undefined {
  return useApp(({ app }) => app?.agents.agents.find((agent) => agent.agentId === agentId))
}

/** Where agents connect, or will once the endpoint is open. */
export function useGatewayUrl(): string {
  return useApp(({ app }) => {
    if (app?.agents.gateway.kind === 'open') return app.agents.gateway.url
    return `http://127.0.0.1:${String(app?.settings.gatewayPort ?? '')}/mcp`
  })
}
