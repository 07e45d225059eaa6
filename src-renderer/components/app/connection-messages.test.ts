import { describe, expect, it } from 'vitest'

import { ConnectionState, type HostView } from '../../../src-shared/domain/agents/host'
import { appAttentionItems, connectionMessage, isBrokenConnection } from './host-rows'

const of = (state: ConnectionState): { entryName: string; state: ConnectionState } => ({
  ...{ entryName: 'patchbay', state },
})

function hostWith(name: string, states: readonly ConnectionState[]): HostView {
  const connections = states.map((state) => ({ ...of(state), fileId: name }))
  const file = { fileId: name, scope: 'user' as const, path: `/${name}`, sharedWith: [] }
  return {
    ...{ hostId: name.toLowerCase(), name, isHere: true, reload: '' },
    files: [{ ...file, state: { kind: 'absent' }, connections }],
  }
}

describe('D6: messages on app connections', () => {
  it('have one sentence for each state, with the problem', () => {
    const messages = ConnectionState.options.map((state) =>
      connectionMessage(of(state), 'Cursor', undefined),
    )
    expect(new Set(messages).size).toBe(ConnectionState.options.length)
    for (const message of messages) expect(message).toMatch(/^[A-Z].*\.$/u)
    expect(connectionMessage(of('asWritten'), 'Cursor', 'Bert')).toBe('Connected as Bert.')
  })

  it('show the invisible characters in the name of an entry', () => {
    const hidden = { entryName: 'patch\u202Ebay', state: 'edited' as const }
    expect(connectionMessage(hidden, 'Cursor', undefined)).toContain('patch<U+202E>bay')
  })

  it('ask for attention only if a connection no longer works as set up', () => {
    expect(ConnectionState.options.filter(isBrokenConnection)).toEqual([
      ...['edited', 'moved', 'gone', 'agentGone'],
    ])
    const hosts = [
      hostWith('Cursor', ['asWritten', 'edited']),
      hostWith('Zed', ['foreign', 'unknown']),
      hostWith('Codex', ['gone']),
    ]
    expect(
      appAttentionItems(hosts).map(({ hostName, connection }) => `${hostName} ${connection.state}`),
    ).toEqual(['Cursor edited', 'Codex gone'])
  })
})
