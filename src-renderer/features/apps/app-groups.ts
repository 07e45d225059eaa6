import type { AgentView } from '../../../src-shared/domain/agents/agent'
import type { ConnectionState, HostsState } from '../../../src-shared/domain/agents/host'
import { type HostRow, hostRows, isBrokenConnection } from '../../components/app/use-connecting'

/** An app with a key, and the entries on this computer that use the key. */
export type ConnectedApp = {
  readonly agent: AgentView
  readonly entries: readonly HostRow[]
  /** An app of this name is on this computer, and its file has no entry. */
  readonly isDetached: boolean
}

/** The groups of the Apps page. */
export type AppGroups = {
  readonly connected: readonly ConnectedApp[]
  /** Files of apps on this computer that lead to no app with a key. */
  readonly available: readonly HostRow[]
  readonly away: readonly string[]
}

/** Sorts apps and the files of this computer into the groups of the page. */
export function appGroups(
  agents: readonly AgentView[],
  hosts: Pick<HostsState, 'hosts' | 'changes'>,
): AppGroups {
  const { rows, away } = hostRows(hosts)
  const byAgent = Map.groupBy(rows, ({ connection }) => connection?.agentId)
  const known = new Set(agents.map(({ agentId }) => agentId))
  const available = rows.filter(({ connection }) => !known.has(connection?.agentId ?? ''))
  const names = new Set(available.map(({ host }) => host.name.toLowerCase()))
  return {
    connected: agents.map((agent) => {
      const entries = byAgent.get(agent.agentId) ?? []
      const isDetached = entries.length === 0 && names.has(agent.name.toLowerCase())
      return { agent, entries, isDetached }
    }),
    available,
    away,
  }
}

/** What an entry is called in a few words; empty while the entry is as written. */
export const ENTRY_LABEL: Readonly<Record<ConnectionState, string>> = {
  asWritten: '',
  edited: 'Entry changed',
  moved: 'Entry outdated',
  gone: 'Entry missing',
  unknown: 'File unreadable',
  agentGone: 'Key removed',
  foreign: 'Added outside Patchbay',
}

/** How an app is, in a few words; `isWarning` where the user has to act. */
export type AppState = { readonly label: string; readonly isWarning: boolean }

/** The state column of a connected app. */
export function appState({ agent, entries, isDetached }: ConnectedApp): AppState {
  const drifted = entries.find(
    ({ connection }) => connection && isBrokenConnection(connection.state),
  )
  if (drifted?.connection) return { label: ENTRY_LABEL[drifted.connection.state], isWarning: true }
  const limit = appLimit({ agent, entries })
  if (limit !== undefined && agent.exposed > limit)
    return { label: 'Too many tools', isWarning: true }
  const suffix = entries.length === 0 ? ', HTTP' : ''
  if (agent.connections > 0) return { label: `Active${suffix}`, isWarning: false }
  if (isDetached) return { label: 'Not connected', isWarning: false }
  return {
    label: agent.lastSeenAt === undefined ? 'Never connected' : `Idle${suffix}`,
    isWarning: false,
  }
}

/** How many tools the app itself accepts; undefined where no limit is known. */
export function appLimit({
  agent: { profile },
  entries,
}: Pick<ConnectedApp, 'entries'> & {
  readonly agent: Pick<AgentView, 'profile'>
}): number | undefined {
  return (
    entries.find(({ host }) => host.toolLimit !== undefined)?.host.toolLimit ?? profile.appLimit
  )
}

/** The known app that a name stands for: "Cursor at work" is Cursor. */
export function namedApp<T extends { readonly name: string }>(
  name: string,
  apps: readonly T[],
): T | undefined {
  const words = wordsOf(name)
  return apps.find((app) => words.includes(wordsOf(app.name)))
}

function wordsOf(name: string): string {
  return ` ${name.toLowerCase().split(/\s+/u).join(' ').trim()} `
}
