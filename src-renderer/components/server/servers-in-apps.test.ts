import { describe, expect, it } from 'vitest'

import type { HostFile, HostView } from '../../../src-shared/domain/agents/host'
import { serversInApps } from './no-servers'

function file(path: string, change: Partial<HostFile> = {}): HostFile {
  return {
    fileId: path,
    scope: 'user',
    path,
    state: { kind: 'read', servers: 2, isReadOnly: false },
    sharedWith: [],
    connections: [],
    ...change,
  }
}

function host(hostId: string, ...files: HostFile[]): HostView {
  return { hostId, name: hostId, isHere: true, reload: '', files }
}

describe('D6: servers in other apps', () => {
  it('are counted once for each file, no matter which app reads it', () => {
    const hosts = [host('a', file('/one')), host('b', file('/one'), file('/two'))]
    expect(serversInApps({ hosts })).toBe(4)
  })

  it('exclude entries that lead to Patchbay, but no entry that is gone', () => {
    const connection = { fileId: '/one', entryName: 'patchbay' }
    const connections = [
      { ...connection, state: 'asWritten' as const },
      { ...connection, state: 'gone' as const },
    ]
    expect(serversInApps({ hosts: [host('a', file('/one', { connections }))] })).toBe(1)
  })

  it('are not counted in absent or broken files', () => {
    const absent = file('/one', { state: { kind: 'absent' } })
    const broken = file('/two', { state: { kind: 'broken', problem: 'Line 1.' } })
    expect(serversInApps({ hosts: [host('a', absent, broken)] })).toBe(0)
  })
})
