import { describe, expect, it } from 'vitest'

import { checkOf, lateAdvice } from './connect-check'

const CURSOR = { name: 'Cursor', exposed: 52, listedAt: undefined, connections: 0 }
const AT = 1_790_000_000_000

describe('D6: connection check', () => {
  it('waits for a tool list that was read after the start, unless the app is connected', () => {
    expect(checkOf(CURSOR, AT, 0).kind).toBe('waiting')
    const before = { ...CURSOR, listedAt: AT - 1 }
    expect(checkOf(before, AT, 0).kind).toBe('waiting')
    expect(checkOf({ ...before, connections: 1 }, AT, 0)).toEqual({
      kind: 'listed',
      message: 'Cursor is connected and sees 52 tools.',
    })
    expect(checkOf({ ...CURSOR, listedAt: AT + 4_000 }, AT, 4_100)).toEqual({
      kind: 'listed',
      message: 'Cursor sees 52 tools. Read after 4 s.',
    })
  })

  it('reports a delay after a minute, and still accepts a late list', () => {
    expect(checkOf(CURSOR, AT, 59_999).kind).toBe('waiting')
    expect(checkOf(CURSOR, AT, 60_000).kind).toBe('late')
    expect(checkOf({ ...CURSOR, listedAt: AT + 70_000 }, AT, 70_000).kind).toBe('listed')
  })

  it('gives advice on the key only without a keychain', () => {
    const parts = { appName: 'Cursor', reload: 'Restart Cursor.', ownCommand: ['/bin/patchbay'] }
    expect(lateAdvice({ ...parts, isMemory: false })).toHaveLength(2)
    expect(lateAdvice({ ...parts, isMemory: true }).at(-1)).toContain('PATCHBAY_AGENT_KEY')
  })
})
