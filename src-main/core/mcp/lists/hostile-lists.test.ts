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

describe('C1 lists that are meant to do harm', () => {
  it('are cut at ten thousand, and say so', async () => {
    const list = Array.from({ length: 300_000 }, (_, n) => ({ name: `t${n}`, inputSchema: {} }))
    const session = await sessionWith(list)
    const { tools, notices } = session.capabilities
    expect(tools).toHaveLength(10_000)
    expect(notices).toEqual([
      'Tools: the list has more than 10000 elements, and the rest is ignored.',
    ])
  })

  it('cost a few notices, however much of them is broken', async () => {
    const broken = Array<object>(9_000).fill({})
    const session = await sessionWith([{ name: '__proto__', inputSchema: {} }, ...broken])
    const { tools, notices } = session.capabilities
    expect(tools).toEqual([{ name: '__proto__', inputSchema: {} }])
    expect(notices).toHaveLength(4)
    expect(notices[3]).toBe('Tools: 8997 more elements were ignored for the same reason.')
  })

  const NO_TEXT = 'Tools: the next cursor is not a string, so the list stops there.'
  it.each([
    [null, []],
    [7, [NO_TEXT]],
    [false, [NO_TEXT]],
    [{ toString: 0 }, [NO_TEXT]],
    [[], [NO_TEXT]],
  ])('end where the next page is named by %j, and keep what came', async (nextCursor, expected) => {
    const session = await sessionWith([A], () => ({ nextCursor }))
    const { tools, notices } = session.capabilities
    expect([tools.map(({ name }) => name), notices]).toEqual([['a'], expected])
  })

  it('keep what Patchbay does not know, and no more than 10 MB of it', async () => {
    const notes = 'n'.repeat(1_000_000)
    const list = Array.from({ length: 30 }, (_, n) => ({ name: `t${n}`, inputSchema: {}, notes }))
    const session = await sessionWith(list)
    const { tools, notices } = session.capabilities
    expect(tools).toHaveLength(10)
    expect(tools[0]).toEqual({ name: 't0', inputSchema: {}, notes })
    expect(notices).toEqual([
      'Tools: the list is larger than 10 MB, and elements from number 11 on are ignored.',
    ])
  })

  it('end where the next page is named with more than 64 KB', async () => {
    let page = 0
    const nextCursor = (): string => `${(page += 1)}${'c'.repeat(70_000)}`
    const session = await sessionWith([A], () => ({ nextCursor: nextCursor() }))
    const { tools, notices } = session.capabilities
    expect(tools).toHaveLength(1)
    expect(notices).toEqual([
      'Tools: the next cursor is larger than 64 KB, so the list stops there.',
    ])
  })

  it('bring no more than 64 K characters of instructions', async () => {
    const session = await sessionWith([], () => ({ instructions: 'i'.repeat(1_000_000) }))
    expect(session.instructions).toHaveLength(65_536)
  })
})
