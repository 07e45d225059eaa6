import { describe, expect, it } from 'vitest'

import { memorySession } from '../../../../e2e/fixtures/memory-session'
import type { ServerSession } from '../session'

/** A session with a server whose list of tools this is; `more` stands in its answers too. */
async function sessionWith(
  tools: readonly unknown[],
  more: () => object = () => ({}),
): Promise<ServerSession> {
  const { session } = memorySession({
    initialize: ({ protocolVersion }) => ({
      ...{ protocolVersion, capabilities: { tools: {} } },
      ...more(),
    }),
    'tools/list': () => ({ tools, ...more() }),
  })
  await session.connect(10_000)
  await session.discover(20_000)
  return session
}

const A = { name: 'a', inputSchema: {} }
const many = (length: number, more: object = {}): object[] =>
  Array.from({ length }, (_, n) => ({ name: `t${n}`, inputSchema: {}, ...more }))
const NO_TEXT = ['the next cursor is not a string, so the list stops there.']
const MB = 'n'.repeat(1_000_000)

describe('C1 lists that are meant to do harm', () => {
  let page = 0
  it.each<[string, tools: object[], more: () => object, kept: number, notices: string[]]>([
    [
      'are cut at ten thousand',
      many(300_000),
      () => ({}),
      10_000,
      ['the list has more than 10000 elements, and the rest is ignored.'],
    ],
    [
      'are cut at 10 MB',
      many(30, { notes: MB }),
      () => ({}),
      10,
      ['the list is larger than 10 MB, and elements from number 11 on are ignored.'],
    ],
    ['end where the cursor is null', [A], () => ({ nextCursor: null }), 1, []],
    ['end where the cursor is a number', [A], () => ({ nextCursor: 7 }), 1, NO_TEXT],
    ['end where the cursor is false', [A], () => ({ nextCursor: false }), 1, NO_TEXT],
    ['end where the cursor is odd', [A], () => ({ nextCursor: { toString: 0 } }), 1, NO_TEXT],
    [
      'end where the cursor has more than 64 KB',
      [A],
      () => ({ nextCursor: `${(page += 1)}${'c'.repeat(70_000)}` }),
      1,
      ['the next cursor is larger than 64 KB, so the list stops there.'],
    ],
  ])('%s, keep what came and say so', async (_what, list, more, kept, expected) => {
    const { tools, notices } = (await sessionWith(list, more)).capabilities
    expect(tools).toEqual(list.slice(0, kept))
    expect(notices).toEqual(expected.map((notice) => `Tools: ${notice}`))
  })

  it('cost a few notices, however much of them is broken', async () => {
    const broken = Array<object>(9_000).fill({})
    const session = await sessionWith([{ name: '__proto__', inputSchema: {} }, ...broken])
    const { tools, notices } = session.capabilities
    expect(tools).toEqual([{ name: '__proto__', inputSchema: {} }])
    expect(notices).toHaveLength(4)
    expect(notices[3]).toBe('Tools: 8997 more elements were ignored for the same reason.')
  })

  it('bring no more than 64 K characters of instructions', async () => {
    const session = await sessionWith([], () => ({ instructions: MB }))
    expect(session.instructions).toHaveLength(65_536)
  })
})
