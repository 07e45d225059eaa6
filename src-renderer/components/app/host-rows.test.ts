import { describe, expect, it } from 'vitest'

import type { HostChange, HostConnection, HostView } from '../../../src-shared/domain/agents/host'
import { firstChoice, hostRows } from './use-connecting'

function connection(entryName: string, agentId = 'cursor'): HostConnection {
  return { fileId: 'cursor:/mcp.json', entryName, agentId, state: 'asWritten' }
}

function host(name: string, connections: HostConnection[] = [], isHere = true): HostView {
  const fileId = `${name.toLowerCase()}:/mcp.json`
  return {
    ...{ hostId: name.toLowerCase(), name, isHere, reload: '' },
    files: [
      {
        ...{ fileId, scope: 'user', path: '/mcp.json', state: { kind: 'absent' } },
        ...{ sharedWith: [], connections },
      },
    ],
  }
}

const change = (changeId: string): HostChange => ({
  ...{ changeId, kind: 'connect', fileId: 'cursor:/mcp.json', path: '/mcp.json' },
  ...{ entryNames: ['patchbay'], at: 0 },
})

describe('D6: the list of apps', () => {
  it('has a line for each connection, and for a file without one; apps elsewhere are names', () => {
    const hosts = [
      host('Cursor', [connection('patchbay'), connection('other')]),
      host('Zed'),
      host('Codex', [], false),
    ]
    const { rows, away } = hostRows({ hosts, changes: [change('newest'), change('older')] })
    expect(rows.map((row) => [row.host.name, row.connection?.entryName])).toEqual([
      ['Cursor', 'patchbay'],
      ['Cursor', 'other'],
      ['Zed', undefined],
    ])
    expect(new Set(rows.map(({ rowId }) => rowId)).size).toBe(3)
    expect(rows.map((row) => row.change?.changeId)).toEqual(['newest', 'newest', undefined])
    expect(away).toEqual(['Codex'])
  })

  it('keeps a line’s name when its first connection comes, so that the focus finds it again', () => {
    const [before] = hostRows({ hosts: [host('Cursor')], changes: [] }).rows
    const [after] = hostRows({
      ...{ hosts: [host('Cursor', [connection('patchbay')])], changes: [] },
    }).rows
    expect(after?.rowId).toBe(before?.rowId)
  })
})

describe('D6: which agent an app is', () => {
  const agents = [
    { agentId: 'bert', name: 'Bert' },
    { agentId: 'cursor', name: 'cursor' },
  ]

  it('is the one it was, then the one of its name, then a new one', () => {
    const own = { host: host('Cursor'), connection: connection('patchbay', 'bert') }
    expect(firstChoice(own, agents).agentId).toBe('bert')
    expect(firstChoice({ ...own, connection: undefined }, agents).agentId).toBe('cursor')
    expect(firstChoice({ host: host('Zed'), connection: undefined }, agents)).toEqual({
      ...{ agentId: undefined, name: 'Zed' },
    })
  })
})
