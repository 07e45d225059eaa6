import { describe, expect, it } from 'vitest'

import type { HostServer } from '../../../../src-shared/domain/agents/host'
import { foundServers, importLabel, runtimeOf } from './add-step'

function found(
  name: string,
  command: string,
  { hostName = 'Cursor', ...change }: Partial<HostServer> = {},
): HostServer {
  const preview = { kind: 'command', command, args: [], env: [] }
  const server = { name, preview, secrets: [], toFill: [] } as unknown as HostServer['server']
  return {
    ...{ fileId: hostName, entryName: name, hostName, hostPath: '/x', isOn: true },
    ...{ sameAs: `${name} ${command}`, server, ...change },
  }
}

describe('D6: servers found by the setup guide', () => {
  it('are the enabled ones not yet added, each once, by name', () => {
    const servers = [
      found('Zulip', 'npx'),
      found('GitHub', 'docker'),
      found('GitHub', 'docker', { hostName: 'Claude Desktop' }),
      found('Off', 'npx', { isOn: false }),
      found('Here', 'npx', { alreadyInstalledAs: { installationId: 'a', name: 'Here' } }),
    ]
    const rows = foundServers(servers)
    expect(rows.map((entries) => entries.map(({ hostName }) => hostName))).toEqual([
      ['Cursor', 'Claude Desktop'],
      ['Cursor'],
    ])
    expect(importLabel(rows)).toBe('Import 2 servers from Cursor and Claude Desktop')
    expect(importLabel([[found('One', 'npx')]])).toBe('Import 1 server from Cursor')
    const sameName = [[found('One', 'npx')], [found('one', 'uvx')]]
    expect(importLabel(sameName)).toBe('Import 1 server from Cursor')
  })

  it.each([
    ['npx', 'Node.js'],
    ['C:\\\\Program Files\\\\uv\\\\uvx.exe', 'uv'],
    ['/usr/bin/docker', 'Docker'],
    ['/opt/notes/server', 'server'],
  ])('name the runtime of %s', (command, runtime) => {
    expect(runtimeOf(found('One', command))).toBe(runtime)
  })
})
