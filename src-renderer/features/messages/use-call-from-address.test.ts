import { expect, it } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { requestOfCall } from './messages-panel'

const call = (seq: number, at: number, change: Partial<MessageEntry> = {}): MessageEntry => ({
  ...{ seq, session: 1, at, direction: 'sent', kind: 'request' },
  ...{ method: 'tools/call', target: 'echo', bytes: 1, hasText: true },
  ...change,
})

it('D6: the request of a call is found by name and time, unless it is no longer stored', () => {
  const address = new URLSearchParams({
    ...{ method: 'tools/call', target: 'echo', from: '100', to: '200' },
  })
  const entries = [
    call(1, 90),
    call(2, 120, { target: 'other' }),
    call(3, 130, { kind: 'result', direction: 'received' }),
    call(4, 140, { method: 'resources/read' }),
    call(5, 150),
    call(6, 160),
    call(7, 250),
  ]
  expect(requestOfCall(entries, address)?.seq).toBe(5)
  expect(requestOfCall(entries.slice(6), address)).toBeUndefined()
})
