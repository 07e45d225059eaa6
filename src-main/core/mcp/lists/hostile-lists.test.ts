import { describe, expect, it } from 'vitest'

import { spawnChild } from '../../process/spawn/child-process'
import { StdioConnection } from '../connections/stdio'
import { ServerSession } from '../session'

/** A real server whose list of tools is what `tools` (JavaScript) makes, and whose answers have `more` beside it. */
async function sessionWith(tools: string, more = ''): Promise<ServerSession> {
  const code = `
    const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion,
        capabilities: { tools: {} }, serverInfo: { name: 'hostile', version: '1' }, ${more} })
      else if (method === 'tools/list') say(id, { tools: ${tools}, ${more} })
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id,
        error: { code: -32601, message: 'Method not found' } }))
    })`
  const env = { PATH: process.env.PATH ?? '' }
  const child = await spawnChild(
    { command: process.execPath, args: ['-e', code], env },
    () => undefined,
  )
  const ignore = (): void => undefined
  const line = new StdioConnection(child, { onNoise: ignore, onWarning: ignore })
  const session = new ServerSession(line, {
    clientVersion: '0',
    onWarning: ignore,
    stderrTail: () => [],
    requestMs: 30_000,
    requestTotalMs: 30_000,
  })
  await session.connect(10_000)
  await session.discover(20_000)
  return session
}

describe('C1 lists that are meant to do harm', () => {
  it('are cut at ten thousand, and say so', async () => {
    const list = `Array.from({ length: 300000 }, (_, n) => ({ name: 't' + n, inputSchema: {} }))`
    const session = await sessionWith(list)
    const { tools, notices } = session.capabilities
    expect(tools).toHaveLength(10_000)
    expect(notices).toEqual(['Tools: the list is longer than 10000; the rest is left out.'])
    await session.close()
  })

  it('cost a few notices, however much of them is broken', async () => {
    const session = await sessionWith(
      `[{ name: '__proto__', inputSchema: {} }, ...Array(9000).fill({})]`,
    )
    const { tools, notices } = session.capabilities
    expect(tools).toEqual([{ name: '__proto__', inputSchema: {} }])
    expect(notices).toHaveLength(4)
    expect(notices[3]).toBe('Tools: 8997 more were ignored the same way.')
    await session.close()
  })

  const NO_TEXT = 'Tools: the server names the next page with no text, so the list stops there.'
  it.each([
    ['null', []],
    ['7', [NO_TEXT]],
    ['false', [NO_TEXT]],
    ['{ toString: 0 }', [NO_TEXT]],
    ['[]', [NO_TEXT]],
  ])('end where the next page is named by %s, and keep what came', async (cursor, told) => {
    const session = await sessionWith(`[{ name: 'a', inputSchema: {} }]`, `nextCursor: ${cursor}`)
    const { tools, notices } = session.capabilities
    expect([tools.map(({ name }) => name), notices]).toEqual([['a'], told])
    await session.close()
  })

  it('keep what Patchbay does not know, and no more than 10 MB of it', async () => {
    const session = await sessionWith(
      `Array.from({ length: 30 }, (_, n) => ({ name: 't' + n, inputSchema: {}, notes: 'n'.repeat(1000000) }))`,
    )
    const { tools, notices } = session.capabilities
    expect(tools).toHaveLength(10)
    expect(tools[0]).toEqual({ name: 't0', inputSchema: {}, notes: 'n'.repeat(1_000_000) })
    expect(notices).toEqual([
      'Tools: the list is larger than 10 MB; from number 11 on it is left out.',
    ])
    await session.close()
  })

  it('end where the next page is named with more than 64 KB', async () => {
    const session = await sessionWith(
      `[{ name: 'a', inputSchema: {} }]`,
      `nextCursor: (globalThis.page = (globalThis.page ?? 0) + 1) + 'c'.repeat(70000)`,
    )
    const { tools, notices } = session.capabilities
    expect(tools).toHaveLength(1)
    expect(notices).toEqual([
      'Tools: the server names the next page with more than 64 KB, so the list stops there.',
    ])
    await session.close()
  })

  it('bring no more than 64 K characters of instructions', async () => {
    const session = await sessionWith('[]', `instructions: 'i'.repeat(1000000)`)
    expect(session.instructions).toHaveLength(65_536)
    await session.close()
  })
})
