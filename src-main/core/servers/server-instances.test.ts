import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isTreeAlive } from '../../../e2e/fixtures/is-tree-alive'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { Settings } from '../../../src-shared/domain/state/settings'
import type { StartKind } from '../installation/draft'
import type { LogBuffer } from '../log/log-buffer'
import { createRedactor } from '../masking/redact'
import type { ServerSession } from '../mcp/session'
import type { Server } from './server'
import { ServerDirectory } from './server-directory'
import { INSTANCE_IDLE_MS, MAX_INSTANCES } from './server-instances'
import { ServerLogs } from './server-logs'

const ID = 'one'
const ONE = {
  ...{ name: 'One', enabled: true, starts: 'onFirstUse', sharing: 'perSession' },
} as Installation
const MS = 30_000
const BUDGETS = {
  ...{ installMs: MS, handshakeMs: MS, discoverMs: MS },
  ...{ requestMs: MS, callMs: MS },
}
const PAGE = join(import.meta.dirname, '../../../e2e/servers/holds-page.mjs')
const WANTED = { method: 'tools/call', waitMs: MS }

let args: string[]
let prepared: boolean[]
let lines: string[]
let clock: ManualClock
let servers: ServerDirectory
let server: Server

beforeEach(() => {
  args = [PAGE]
  prepared = []
  lines = []
  clock = new ManualClock()
  servers = new ServerDirectory(
    {
      installationOf: () => ONE,
      prepare: (_id: string, log: LogBuffer, kind: StartKind) => {
        prepared.push(kind === 'instance')
        log.setRedactor(createRedactor(['s3cret-of-this-start']), {})
        return Promise.resolve({
          kind: 'command',
          spec: { command: process.execPath, args, env: { PATH: process.env.PATH ?? '' } },
          install: undefined,
          budgets: BUDGETS,
          maxMessageBytes: 1_000_000,
          spoken: { protocolMode: undefined, transport: undefined, remember: () => undefined },
          shown: 'fixture',
        })
      },
      settings: () => Settings.parse({ startsAgain: false, healthChecks: false }),
      clientVersion: '0',
    },
    new ServerLogs((_id, { text }) => lines.push(text)),
    clock,
  )
  servers.add(ID)
  server = servers.read(ID)
})
afterEach(() => servers.close())

function ready(sessionId: string | undefined, agentId = 'anna'): Promise<ServerSession> {
  return server.readyFor({ agentId, agent: 'Anna', sessionId }, WANTED)
}

const pids = (): (number | undefined)[] => (server.instances?.views ?? []).map(({ pid }) => pid)
const untilGone = async (pid = 0): Promise<void> => {
  await expect.poll(() => isTreeAlive(pid)).toBe(false)
}

describe('B12: instances of a server', () => {
  it('are one per session, or per agent without sessions, next to the shared one', async () => {
    const [one, two, alone] = [await ready('1'), await ready('2'), await ready(undefined)]
    expect(await ready('1')).toBe(one)
    expect(new Set([one.pid, two.pid, alone.pid, server.liveSession?.pid]).size).toBe(4)
    expect(prepared).toEqual([false, true, true, true])
    expect(server.counts.starts).toBe(4)
    expect(servers.everyProcess()).toHaveLength(4)
  })

  it('start once for concurrent calls', async () => {
    const sessions = await Promise.all([ready('1'), ready('1'), ready('1')])
    expect(new Set(sessions).size).toBe(1)
    expect(prepared).toEqual([false, true])
  })

  it('end after ten minutes without a request, but not during one', async () => {
    const [idle, busy] = [await ready('1'), await ready('2')]
    const leaving = new AbortController()
    const call = busy
      .request('tools/call', { name: 'wait' }, { signal: leaving.signal })
      .catch(String)
    clock.pass(INSTANCE_IDLE_MS - 60_000)
    expect(pids()).toEqual([idle.pid, busy.pid])
    clock.pass(120_000)
    await untilGone(idle.pid)
    expect(pids()).toEqual([busy.pid])
    leaving.abort()
    await call
    clock.pass(INSTANCE_IDLE_MS + 60_000)
    await untilGone(busy.pid)
    expect(server.status.kind).toBe('ready')
  })

  it('are at most eight: the longest idle one makes room, a busy one never', async () => {
    const sessions = []
    for (let at = 0; at < MAX_INSTANCES; at += 1) {
      sessions.push(await ready(String(at)))
      clock.pass(1_000)
    }
    const last = await ready('last')
    expect(isTreeAlive(sessions[0]?.pid ?? 0)).toBe(false)
    const working = [...sessions.slice(1), last].map((one) =>
      one.request('tools/call', { name: 'wait' }).catch(String),
    )
    await expect(ready('more')).rejects.toThrow('All 8 processes of One are in use')
    await server.stop()
    expect(await Promise.all(working)).toHaveLength(MAX_INSTANCES)
    expect(pids()).toEqual([])
  })

  it('report a failed start and retry with the next call', async () => {
    await server.ready(WANTED)
    args = ['-e', 'console.error("no s3cret-of-this-start"); process.exit(3)']
    await expect(ready('1')).rejects.toThrow('exited with code 3')
    expect(lines.filter((line) => line.startsWith('[Anna #1] no '))).toEqual([
      expect.not.stringContaining('s3cret'),
    ])
    expect(server.log.redactor('s3cret-of-this-start')).not.toContain('s3cret')
    args = [PAGE]
    expect((await ready('1')).pid).toBeDefined()
    expect(server.status.kind).toBe('ready')
  })

  it("don't start for a canceled call or after their server was stopped", async () => {
    const leaving = new AbortController()
    const starting = server.readyFor(
      { agentId: 'anna', agent: 'Anna', sessionId: '1' },
      { ...WANTED, signal: leaving.signal },
    )
    leaving.abort()
    await expect(starting).rejects.toThrow('canceled')
    await ready('2')
    server.stopOrEscalate()
    await expect.poll(() => server.status.kind).toBe('stopped')
    await expect(ready('2')).rejects.toMatchObject({ code: 'SERVER_NOT_RUNNING' })
    expect(pids()).toEqual([])
  })
})
