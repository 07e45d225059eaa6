import { describe, expect, it } from 'vitest'

import type { ToolView } from '../../../src-shared/domain/agents/tools'
import { listOf, toolShares } from './tools-section'

const SERVERS = ['git', 'files'].map((installationId) => ({
  ...{ installationId, name: installationId.toUpperCase(), enabled: true },
}))

function tool(installationId: string, name: string, readOnlyHint = false): ToolView {
  return {
    ...{ installationId, name, exposure: 'exposed', hash: '', securityWarnings: [], uses: 0 },
    annotations: { readOnlyHint },
  }
}

const TOOLS = [
  ...[tool('git', 'log', true), tool('git', 'push'), tool('files', 'read', true)],
  { ...tool('git', 'bad name'), exposure: 'quarantined' as const },
]
const SHOWN = [{ installationId: 'git', tool: 'log', exposedName: 'git__log' }]

describe('C7: tools of an app by server', () => {
  it('count the tools that the app gets and could get', () => {
    const shares = toolShares(SERVERS, TOOLS, { chosen: { kind: 'all' }, shown: SHOWN })
    expect(shares.map(({ server, shown, tools }) => [server.name, shown, tools.length])).toEqual([
      ['GIT', 1, 2],
      ['FILES', 0, 1],
    ])
  })

  it('turn a choice of all or read-only tools into a list when one server changes', () => {
    const all = toolShares(SERVERS, TOOLS, { chosen: { kind: 'all' }, shown: [] })
    expect(listOf(all, { installationId: 'git', choice: { kind: 'none' } })).toEqual([
      { installationId: 'files', choice: { kind: 'all' } },
    ])
    const readOnly = toolShares(SERVERS, TOOLS, { chosen: { kind: 'readOnly' }, shown: [] })
    expect(listOf(readOnly)).toEqual([
      { installationId: 'git', choice: { kind: 'list', names: ['log'] } },
      { installationId: 'files', choice: { kind: 'list', names: ['read'] } },
    ])
  })

  it('keep the choices of existing servers only', () => {
    const list = ['files', 'gone'].map((installationId) => ({
      ...{ installationId, choice: { kind: 'all' as const } },
    }))
    const shares = toolShares(SERVERS, TOOLS, { chosen: { kind: 'list', list }, shown: [] })
    expect(listOf(shares)).toEqual([{ installationId: 'files', choice: { kind: 'all' } }])
  })
})
