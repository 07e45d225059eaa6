import { describe, expect, it } from 'vitest'

import type { Call } from '../../../src-shared/domain/agents/activity'
import { consumeArguments } from '../../components/tool-run/passed-arguments'
import { messagesPath, passArgumentsOf, tryPath } from './call-detail'

const CALL: Call = {
  ...{ callId: 1, at: 1_000, agentId: 'a', agentName: 'Cursor', installationId: 's' },
  ...{ serverName: 'Notes', method: 'tools/call', target: 'read note', durationMs: 50 },
  ...{ requestBytes: 1, resultBytes: 1, outcome: 'ok' },
}

describe('D6: links of a call', () => {
  it('lead to its messages, and to Try it if the method is supported', () => {
    expect(messagesPath(CALL)).toBe(
      '/servers/s/messages?method=tools%2Fcall&target=read+note&from=1000&to=1050',
    )
    expect(tryPath(CALL)).toBe('/servers/s/try/tool/read%20note')
    expect(tryPath({ ...CALL, method: 'tools/list' })).toBeUndefined()
    expect(tryPath({ ...CALL, installationId: undefined })).toBeUndefined()
  })

  it('pass recorded arguments once and only to that tool', () => {
    expect(passArgumentsOf({ ...CALL, arguments: '{"path":"/tmp"}' })).toBeUndefined()
    expect(consumeArguments('s', 'other')).toBeUndefined()
    expect(consumeArguments('s', 'read note')).toEqual({ path: '/tmp' })
    expect(consumeArguments('s', 'read note')).toBeUndefined()
    expect(passArgumentsOf(CALL)).toBeUndefined()
    expect(consumeArguments('s', 'read note')).toBeUndefined()
  })

  it.each([
    ['truncated arguments', '{"path":"/tm', 'Unexpected end of text'],
    ['a number that would lose digits', '{"id":9007199254740993}', '9007199254740993 has too many'],
  ])('pass no %s, and say why', (_, text, reason) => {
    expect(passArgumentsOf({ ...CALL, arguments: text })).toContain(reason)
    expect(consumeArguments('s', 'read note')).toBeUndefined()
  })
})
