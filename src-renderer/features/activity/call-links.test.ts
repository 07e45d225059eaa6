import { describe, expect, it } from 'vitest'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { takeArguments } from '../../components/tool-run/passed-arguments'
import { messagesPlace, passCall, tryPlace } from './call-detail'

const CALL: Call = {
  ...{ callId: 1, at: 1_000, agentId: 'a', agentName: 'Cursor', installationId: 's' },
  ...{ serverName: 'Notes', method: 'tools/call', target: 'read note', durationMs: 50 },
  ...{ requestBytes: 1, resultBytes: 1, outcome: 'ok' },
}

describe('D6: links of a call', () => {
  it('lead to its messages, and to Try it if the method is supported', () => {
    expect(messagesPlace(CALL)).toBe(
      '/servers/s/messages?method=tools%2Fcall&target=read+note&from=1000&to=1050',
    )
    expect(tryPlace(CALL)).toBe('/servers/s/try/tool/read%20note')
    expect(tryPlace({ ...CALL, method: 'tools/list' })).toBeUndefined()
    expect(tryPlace({ ...CALL, installationId: undefined })).toBeUndefined()
  })

  it('pass recorded arguments once and only to that tool, but no truncated ones', () => {
    passCall({ ...CALL, arguments: '{"path":"/tmp"}' })
    expect(takeArguments('s', 'other')).toBeUndefined()
    expect(takeArguments('s', 'read note')).toEqual({ path: '/tmp' })
    expect(takeArguments('s', 'read note')).toBeUndefined()
    passCall({ ...CALL, arguments: '{"path":"/tm' })
    passCall(CALL)
    expect(takeArguments('s', 'read note')).toBeUndefined()
  })
})
