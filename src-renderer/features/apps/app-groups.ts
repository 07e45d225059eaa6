import type { AgentView } from '../../../src-shared/domain/agents/agent'
import type { ConnectionState, HostsState } from '../../../src-shared/domain/agents/host'
import { type HostRow, hostRows, isBrokenConnection } from '../../components/app/host-rows'

/** An app with a key, and the entries on this computer that use the key. */
export type ConnectedApp = {
  readonly agent: AgentView
  readonly entries: readonly HostRow[]
  /** Whether an app of this name is on this computer without an entry in its file. */
  readonly isDetached: boolean
}

/** The groups of the Apps page. */
export type AppGroups = {
  readonly connected: readonly ConnectedApp[]
  /** Files of apps on this computer whose entries belong to no app with a key. */
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

/** Labels of the states of an entry; empty for an unchanged entry. */
export const ENTRY_LABEL: Readonly<Record<ConnectionState, string>> = {
  asWritten: '',
  edited: 'Entry changed',
  moved: 'Entry outdated',
  gone: 'Entry missing',
  unknown: 'File unreadable',
  agentGone: 'Key removed',
  foreign: 'Added outside Patchbay',
}

/** State of an app in a few words; `isWarning` if the user has to act. */
export type AppState = { readonly label: string; readonly isWarning: boolean }

/** Returns the state column of a connected app. */
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

/** Returns how many tools the app itself accepts; undefined if no limit is known. */
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

/** Returns the known app that a name contains: "Cursor at work" is Cursor. */
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
