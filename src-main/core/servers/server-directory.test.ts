import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isTreeAlive } from '../../../e2e/fixtures/is-tree-alive'
import { Settings } from '../../../src-shared/domain/state/settings'
import type { ChildSpec } from '../process/spawn/child-process'
import { ServerDirectory } from './server-directory'
import { ServerLogs } from './server-logs'
import type { PreparedLaunch } from './start/launch'

const SERVERS = join(import.meta.dirname, '../../../e2e/servers')
const env = { PATH: process.env.PATH ?? '' }
const node = (...args: string[]): ChildSpec => ({ command: process.execPath, args, env })
const ID = 'one'

let dir: string
let servers: ServerDirectory
let kinds: string[]
let launch: PreparedLaunch

function launchOf(script: string, install?: ChildSpec): PreparedLaunch {
  const limitMs = 10_000
  const budgets = {
    installMs: 500,
    handshakeMs: limitMs,
    discoverMs: limitMs,
    requestMs: limitMs,
    callMs: limitMs,
  }
  const maxMessageBytes = 1_000_000
  return {
    kind: 'command',
    spec: node(join(SERVERS, script)),
    install,
    budgets,
    maxMessageBytes,
    spoken: { protocolMode: undefined, transport: undefined, remember: () => undefined },
    shown: 'fixture',
  }
}

const until = (...wanted: string[]): Promise<void> =>
  expect.poll(() => servers.read(ID).status.kind).toBeOneOf(wanted)

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'patchbay-directory-'))
  kinds = []
  servers = new ServerDirectory(
    {
      installationOf: () => undefined,
      prepare: () => Promise.resolve(launch),
      settings: () => Settings.parse({ startsAgain: false }),
      clientVersion: '0',
    },
    new ServerLogs(() => undefined),
  )
  servers.onDidChange(() => kinds.push(servers.read(ID).status.kind))
  servers.add(ID)
})
afterEach(async () => {
  await servers.close()
  rmSync(dir, { recursive: true, force: true })
})

describe('B6: quit', () => {
  it('ends a download that no start waits for', async () => {
    const file = join(dir, 'pid')
    const code = `require('fs').writeFileSync(${JSON.stringify(file)}, '' + process.pid); setTimeout(() => {}, 60000)`
    launch = launchOf('plain.mjs', node('-e', code))
    servers.read(ID).start()
    await until('error')
    const pidText = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
    await expect.poll(pidText).toMatch(/^\d+$/u)
    const pid = Number(pidText())
    expect(isTreeAlive(pid)).toBe(true)
    await servers.close()
    expect(isTreeAlive(pid)).toBe(false)
  })

  it("doesn't count stopped servers as lost", async () => {
    launch = launchOf('plain.mjs')
    servers.read(ID).start()
    await until('ready')
    await servers.close()
    expect(kinds).not.toContain('error')
    expect(kinds.at(-1)).toBe('stopped')
  })
})

describe('B4 and B7: a second start', () => {
  it('shows no exit lines and no noise count of the first', async () => {
    launch = launchOf('exits.mjs')
    const server = servers.read(ID)
    for (let round = 0; round < 2; round += 1) {
      server.start()
      await until('error')
      expect(server.status).toMatchObject({ stderrTail: ['Missing the one thing it needs'] })
      await server.stop()
    }
    launch = launchOf('noisy.mjs')
    for (let round = 0; round < 2; round += 1) {
      server.start()
      await until('ready')
      await expect.poll(() => server.faults.noiseLines).toBe(2)
      await server.stop()
    }
  })
})
