import { describe, expect, it } from 'vitest'

import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import {
  countText,
  exportNote,
  kindLabel,
  noMessagesText,
  sessionLabel,
  targetLabel,
} from './messages'

describe('D5: labels of messages', () => {
  it('count all messages and the shown ones', () => {
    expect(countText(1, 1)).toBe('1 message')
    expect(countText(12_345, 12_345)).toBe('12,345 messages')
    expect(countText(3, 12_345)).toBe('3 of 12,345 messages')
  })

  it('describe a message, with invisible characters escaped', () => {
    const entry: MessageEntry = {
      seq: 0,
      session: 1,
      at: 0,
      direction: 'received',
      kind: 'result',
      method: 'tools/call',
      target: 'echo\u202e',
      bytes: 1,
      hasText: true,
    }
    expect(targetLabel(entry)).toBe('tools/call echo<U+202E>')
    expect(kindLabel(entry)).toBe('result from the server')
    expect(targetLabel({})).toBe('Response to unknown request')
  })

  it('name a session by its time, with the date if it is another day', () => {
    const at = new Date(2026, 10, 22, 14, 3, 22).getTime()
    expect(sessionLabel(2, at, at + 1_000)).toBe('Session 2, 2:03:22 PM')
    expect(sessionLabel(2, at, at + 86_400_000)).toBe('Session 2, Nov 22, 2:03:22 PM')
  })

  it('say what an export omits', () => {
    expect(exportNote({ count: 3, isWhole: true })).toBeUndefined()
    expect(exportNote({ count: 1, isWhole: false })).toMatch(/^1 message exported\. Older/u)
  })

  it('say why there are no messages', () => {
    const stopped = noMessagesText({ name: 'Notes', status: { kind: 'stopped' } })
    expect(stopped).toMatch(/^Start Notes to see/u)
    expect(noMessagesText({ name: 'Notes', status: { kind: 'stopping' } })).toMatch(
      /appear here\.$/u,
    )
  })
})
