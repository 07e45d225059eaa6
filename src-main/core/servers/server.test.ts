import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Installation } from '../../../src-shared/domain/installation/installation'
import { Settings } from '../../../src-shared/domain/state/settings'
import type { Server } from './server'
import { ServerDirectory } from './server-directory'
import { ServerLogs } from './server-logs'

const ID = 'one'
const ONE = { name: 'One', enabled: true, starts: 'onFirstUse' } as Installation
const MS = 30_000
const BUDGETS = {
  ...{ installMs: MS, handshakeMs: MS, discoverMs: MS },
  ...{ requestMs: MS, callMs: MS },
}
const PLAIN = join(import.meta.dirname, '../../../e2e/servers/plain.mjs')

let installed: Installation | undefined
let servers: ServerDirectory
let server: Server
let begun: string[]

beforeEach(() => {
  installed = ONE
  begun = []
  servers = new ServerDirectory(
    {
      installationOf: () => installed,
      prepare: () =>
        Promise.resolve({
          kind: 'command',
          spec: { command: process.execPath, args: [PLAIN], env: { PATH: process.env.PATH ?? '' } },
          install: undefined,
          budgets: BUDGETS,
          maxMessageBytes: 1_000_000,
          spoken: { protocolMode: undefined, transport: undefined, remember: () => undefined },
          shown: 'fixture',
        }),
      settings: () => Settings.parse({ startsAgain: false }),
      clientVersion: '0',
    },
    new ServerLogs(() => undefined),
  )
  servers.add(ID)
  server = servers.read(ID)
  servers.onDidBegin(({ installationId }) => begun.push(installationId))
})
afterEach(() => servers.close())

const echo = (text: string): Promise<unknown> =>
  server.request('tools/call', { name: 'echo', arguments: { text } })

describe('B12: a server', () => {
  it('is started by its first request, once for all callers, and outlives its sessions', async () => {
    const answers = await Promise.all([echo('first'), echo('second')])
    expect(answers.map((answer) => JSON.stringify(answer))).toEqual([
      expect.stringContaining('first'),
      expect.stringContaining('second'),
    ])
    const { liveSession, generation } = server
    expect(server.counts.starts).toBe(1)
    expect(server.capabilities.tools).toHaveLength(1)

    server.reconnect()
    await expect.poll(() => server.liveSession !== liveSession).toBe(true)
    expect(server.generation).toBeGreaterThan(generation)
    expect(server.notifications).toBe(server.liveSession?.notifications)
    expect(begun).toEqual([ID, ID])
    expect(JSON.stringify(await echo('third'))).toContain('third')
  })

  it('stopped by its user is not started by a request, and says so', async () => {
    await echo('first')
    server.stopOrEscalate()
    await expect.poll(() => server.status.kind).toBe('stopped')
    await expect(echo('second')).rejects.toMatchObject({ code: 'SERVER_NOT_RUNNING' })
    expect([server.liveSession, server.notifications]).toEqual([undefined, undefined])
  })

  it('accepts no request after its removal', async () => {
    installed = undefined
    await expect(echo('first')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(server.counts.starts).toBe(0)
  })
})
