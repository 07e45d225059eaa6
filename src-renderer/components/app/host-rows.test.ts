import { describe, expect, it } from 'vitest'

import type { HostChange, HostConnection, HostView } from '../../../src-shared/domain/agents/host'
import { hostRows } from './host-rows'
import { firstChoice } from './use-connecting'

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

describe('D6: list of apps', () => {
  it('has a row for each connection and each file without one, and only names for absent apps', () => {
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

  it("keeps a row's id when the file gets its first connection, so that the focus stays", () => {
    const [before] = hostRows({ hosts: [host('Cursor')], changes: [] }).rows
    const [after] = hostRows({
      ...{ hosts: [host('Cursor', [connection('patchbay')])], changes: [] },
    }).rows
    expect(after?.rowId).toBe(before?.rowId)
  })
})

describe('D6: agent of an app', () => {
  const agents = [
    { agentId: 'bert', name: 'Bert' },
    { agentId: 'cursor', name: 'cursor' },
  ]

  it("is the current one, else the one with the app's name, else a new one", () => {
    const own = { host: host('Cursor'), connection: connection('patchbay', 'bert') }
    expect(firstChoice(own, agents).agentId).toBe('bert')
    expect(firstChoice({ ...own, connection: undefined }, agents).agentId).toBe('cursor')
    expect(firstChoice({ host: host('Zed'), connection: undefined }, agents)).toEqual({
      ...{ agentId: undefined, name: 'Zed' },
    })
  })
})
