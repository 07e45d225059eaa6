import { describe, expect, it } from 'vitest'

import { call, SERVER, TestMessageLog } from '../../../e2e/fixtures/test-message-log'

describe('D5: a request to repeat', () => {
  it('loses the members of its transport', () => {
    const log = new TestMessageLog()
    const own = { progressToken: 3, 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    log.sent({ ...call(1), params: { name: 'a', _meta: own } })
    log.sent({ ...call(2), params: { name: 'a', _meta: { ...own, 'com.example/x': 1 } } })
    log.sent({ id: 3, method: 'ping' })
    const requests = [0, 1, 2].map((seq) => log.messageLog.requestOf(SERVER, seq).params)
    expect(requests).toEqual([{ name: 'a' }, { name: 'a', _meta: { 'com.example/x': 1 } }, {}])
  })

  it('starts with its first round, without earlier responses', () => {
    const log = new TestMessageLog()
    const round = { inputResponses: { name: { action: 'accept' } }, requestState: 'abc' }
    log.sent({ ...call(1), params: { name: 'a', arguments: { requestState: 1 }, ...round } })
    expect(log.messageLog.requestOf(SERVER, 0).params).toEqual({
      name: 'a',
      arguments: { requestState: 1 },
    })
  })

  it('contains its secrets, as sent to the server', () => {
    const log = new TestMessageLog(['secret-value'])
    log.sent(call(1, 'a', { key: 'secret-value' }))
    expect(log.messageLog.requestOf(SERVER, 0)).toEqual({
      method: 'tools/call',
      params: { name: 'a', arguments: { key: 'secret-value' } },
    })
  })

  it("has to be one of Patchbay's", () => {
    const log = new TestMessageLog()
    log.received(call(1))
    log.sent({ id: 1, result: {} })
    log.sent({ method: 'notifications/cancelled', params: { requestId: 1 } })
    for (const seq of [0, 1, 2])
      expect(() => log.messageLog.requestOf(SERVER, seq)).toThrow('not a request sent')
  })
})
