import { describe, expect, it } from 'vitest'

import { instanceName, instanceText, sharingMessage } from '../choices'

const CURSOR = { instanceId: 2, agent: 'Cursor', isOfSession: true, startedAt: 0 }

describe('B12: processes of a server that not all apps share', () => {
  it('are named as in the log, with their details', () => {
    expect(instanceName({ ...CURSOR, status: 'ready' })).toBe('Cursor #2')
    expect(instanceText({ ...CURSOR, status: 'ready', pid: 7 })).toBe('one session, pid 7')
    expect(instanceText({ ...CURSOR, isOfSession: false, status: 'error' })).toBe(
      'all sessions, failed',
    )
  })

  it('are sessions for a remote server', () => {
    expect(sharingMessage({ sharing: 'shared', registryType: 'npm' })).toBe(
      'All apps use one process and see its state.',
    )
    expect(sharingMessage({ sharing: 'perApp', registryType: 'sse' })).toMatch(
      /^Each app gets its own session with the server, /u,
    )
  })
})
