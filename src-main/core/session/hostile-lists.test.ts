import { describe, expect, it } from 'vitest'

import { spawnChild } from '../process/child-process'
import { ServerSession } from './server-session'

/** A real server whose list of tools is what `tools` (JavaScript) makes. */
async function sessionWith(tools: string): Promise<ServerSession> {
  const code = `
    const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion,
        capabilities: { tools: {} }, serverInfo: { name: 'hostile', version: '1' } })
      else if (method === 'tools/list') say(id, { tools: ${tools} })
    })`
  const env = { PATH: process.env.PATH ?? '' }
  const child = await spawnChild(
    { command: process.execPath, args: ['-e', code], env },
    () => undefined,
  )
  const ignore = (): void => undefined
  const session = new ServerSession(child, {
    clientVersion: '0',
    onNoise: ignore,
    onWarning: ignore,
    onFault: ignore,
    stderrTail: () => [],
    requestMs: 30_000,
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
  }, 30_000)

  it('cost a few notices, however much of them is broken', async () => {
    const session = await sessionWith(
      `[{ name: '__proto__', inputSchema: {} }, ...Array(9000).fill({})]`,
    )
    const { tools, notices } = session.capabilities
    expect(tools).toEqual([{ name: '__proto__', inputSchema: {} }])
    expect(notices).toHaveLength(4)
    expect(notices[3]).toBe('Tools: 8997 more were set aside the same way.')
    await session.close()
  }, 30_000)
})
