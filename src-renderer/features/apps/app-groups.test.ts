import { describe, expect, it } from 'vitest'

import { AgentProfile, type AgentView } from '../../../src-shared/domain/agents/agent'
import type { ConnectionState, HostView } from '../../../src-shared/domain/agents/host'
import { appGroups, appState, type ConnectedApp, namedApp } from './app-groups'

function agent(agentId: string, part: Partial<AgentView> = {}): AgentView {
  return {
    ...{ agentId, name: agentId, createdAt: 0, keyTail: '', profile: AgentProfile.parse({}) },
    ...{ allowed: [], exposed: 52, overCap: 0, connections: 0, calls: 0, errors: 0 },
    ...part,
  }
}

function host(name: string, connection?: { agentId: string; state: ConnectionState }): HostView {
  const fileId = `${name}:/mcp.json`
  const entry = connection && { fileId, entryName: 'patchbay', ...connection }
  const file = { fileId, scope: 'user' as const, path: '/mcp.json', sharedWith: [] }
  return {
    ...{ hostId: name.toLowerCase(), name, isHere: true, reload: '', toolLimit: 40 },
    files: [{ ...file, state: { kind: 'absent' }, connections: entry ? [entry] : [] }],
  }
}

function only(agents: AgentView[], hosts: HostView[]): ConnectedApp {
  const [first] = appGroups(agents, { hosts, changes: [] }).connected
  if (!first) throw new Error('No app is connected.')
  return first
}

describe('D6: groups of the Apps page', () => {
  it('list an app with a key once, and files without a valid key as available', () => {
    const hosts = [
      host('Cursor', { agentId: 'cursor', state: 'asWritten' }),
      host('Zed', { agentId: 'removed', state: 'agentGone' }),
      host('Codex'),
      { ...host('Goose'), isHere: false },
    ]
    const groups = appGroups([agent('cursor'), agent('script')], { hosts, changes: [] })
    expect(groups.connected.map(({ entries }) => entries.length)).toEqual([1, 0])
    expect(groups.available.map((row) => row.host.name)).toEqual(['Zed', 'Codex'])
    expect(groups.away).toEqual(['Goose'])
  })

  it('show a changed entry before a tool limit, and a tool limit before the connection', () => {
    const drifted = host('Cursor', { agentId: 'a', state: 'edited' })
    const written = host('Cursor', { agentId: 'a', state: 'asWritten' })
    const stateOf = (part: Partial<AgentView>, hosts: HostView[]): string => {
      const { label, isWarning } = appState(only([agent('a', part)], hosts))
      return `${isWarning ? 'warning: ' : ''}${label}`
    }
    expect(stateOf({ connections: 1 }, [drifted])).toBe('warning: Entry changed')
    expect(stateOf({ connections: 1 }, [written])).toBe('warning: Too many tools')
    expect(stateOf({ connections: 1, exposed: 40 }, [written])).toBe('Active')
    expect(stateOf({ lastSeenAt: 5 }, [])).toBe('Idle, HTTP')
    expect(stateOf({}, [])).toBe('Never connected')
    expect(stateOf({ name: 'cursor', exposed: 4 }, [host('Cursor')])).toBe('Not connected')
  })

  it('recognize an app by whole words of a name', () => {
    const apps = ['Cursor', 'Claude Code'].map((name) => ({ name }))
    expect(namedApp('cursor at work', apps)?.name).toBe('Cursor')
    expect(namedApp('My  Claude   Code', apps)?.name).toBe('Claude Code')
    expect(namedApp('Precursor', apps)).toBeUndefined()
  })
})
