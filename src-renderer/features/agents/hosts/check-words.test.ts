import { describe, expect, it } from 'vitest'

import { checkOf, lateAdvice } from './check-words'

const CURSOR = { name: 'Cursor', exposed: 52, listedAt: undefined }
const AT = 1_790_000_000_000

describe('D6: the check after an app was connected', () => {
  it('waits for a list that came after the writing, however often it was listed before', () => {
    expect(checkOf(CURSOR, AT, 0).kind).toBe('waiting')
    expect(checkOf({ ...CURSOR, listedAt: AT - 1 }, AT, 0).kind).toBe('waiting')
    expect(checkOf({ ...CURSOR, listedAt: AT + 4_000 }, AT, 4_100)).toEqual({
      kind: 'listed',
      sentence: 'Cursor listed 52 tools, 4 s after its file was written.',
    })
  })

  it('says after a minute that nothing came, and takes a late list all the same', () => {
    expect(checkOf(CURSOR, AT, 59_999).kind).toBe('waiting')
    expect(checkOf(CURSOR, AT, 60_000).kind).toBe('late')
    expect(checkOf({ ...CURSOR, listedAt: AT + 70_000 }, AT, 70_000).kind).toBe('listed')
  })

  it('does not call a list without tools a success in numbers', () => {
    expect(checkOf({ ...CURSOR, exposed: 0, listedAt: AT }, AT, 0).sentence).toContain(
      'is shown none',
    )
  })

  it('advises on the key only where no keychain holds it', () => {
    const parts = { hostName: 'Cursor', reload: 'Restart Cursor.', ownCommand: ['/bin/patchbay'] }
    expect(lateAdvice({ ...parts, isMemory: false })).toHaveLength(2)
    expect(lateAdvice({ ...parts, isMemory: true }).at(-1)).toContain('PATCHBAY_AGENT_KEY')
  })
})
