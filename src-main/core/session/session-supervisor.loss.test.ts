import { join } from 'node:path'

import pLimit from 'p-limit'
import { afterEach, describe, expect, it } from 'vitest'

import { isRunning } from '../../../e2e/fixtures/is-running'
import { PackageInstaller } from '../launch/package-installer'
import { LogBuffer } from '../log/log-buffer'
import { DEFAULT_STOP_GRACE } from '../process/graceful-stop'
import { SessionSupervisor } from './session-supervisor'

const SCRIPT = join(import.meta.dirname, '../../../e2e/servers/leaves-child.mjs')
/** The time of a stop until its SIGKILL. */
const STAGED_MS = DEFAULT_STOP_GRACE.stdinMs + DEFAULT_STOP_GRACE.termMs

const opened: SessionSupervisor[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.end())))

type Lost = {
  readonly server: SessionSupervisor
  readonly lines: () => string[]
  /** The process that the server has left behind. */
  readonly left: number
}

/** A server that has ended in a call; what it left behind runs on and ends with SIGKILL only. */
async function loseServer(): Promise<Lost> {
  const log = new LogBuffer(() => undefined)
  const lines = (): string[] => log.read(-1, 5_000).entries.map(({ text }) => text)
  const limitMs = 10_000
  const server = new SessionSupervisor({
    prepare: () =>
      Promise.resolve({
        spec: {
          command: process.execPath,
          args: [SCRIPT, 'stubborn'],
          env: { PATH: process.env.PATH ?? '' },
        },
        install: undefined,
        selfInstallKey: undefined,
        budgets: {
          installMs: limitMs,
          handshakeMs: limitMs,
          discoverMs: limitMs,
          requestMs: limitMs,
        },
        maxMessageBytes: 1_000_000,
        shown: 'fixture',
      }),
    installer: new PackageInstaller(1),
    slots: pLimit(1),
    log,
    clientVersion: '0',
    onDidChange: () => undefined,
  })
  opened.push(server)
  server.start()
  // Once it says so, its child ignores SIGTERM.
  await until(() => server.status.kind === 'ready' && lines().includes('Not leaving'))
  const called = server.session?.request('tools/call', { name: 'leave', arguments: {} })
  await expect(called).rejects.toThrow()
  await untilKind(server, 'error')
  const said = /Leaves (\d+) behind/u.exec(lines().join('\n'))
  return { server, lines, left: Number(said?.[1]) }
}

async function untilKind(server: SessionSupervisor, kind: string): Promise<void> {
  await until(() => server.status.kind === kind)
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('it never came')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe.skipIf(process.platform === 'win32')('B6 what a lost server has left behind', () => {
  it('ends at once when Stop is pressed again, and the status says that it stops until then', async () => {
    const { server, lines, left } = await loseServer()
    const from = performance.now()
    server.stopOrEscalate()
    expect(server.status).toEqual({ kind: 'stopping' })
    expect(isRunning(left)).toBe(true)
    server.stopOrEscalate()
    await until(() => lines().includes('SIGTERM ignored'))
    expect(server.status).toEqual({ kind: 'stopping' })
    server.stopOrEscalate()
    await untilKind(server, 'stopped')
    expect(performance.now() - from).toBeLessThan(STAGED_MS * 0.7)
    expect(isRunning(left)).toBe(false)
    expect(lines().filter((line) => line === 'Stopped')).toHaveLength(1)
  })

  it('is told by the status once it lingers, until it is gone', async () => {
    const { server, left } = await loseServer()
    const leftover = (): unknown => server.status.kind === 'error' && server.status.leftover
    expect(leftover()).toBeUndefined()
    await until(() => leftover() === 'processes')
    expect(isRunning(left)).toBe(true)
    await until(() => leftover() === undefined)
    expect(isRunning(left)).toBe(false)
    expect(server.status.kind).toBe('error')
  })

  it('is waited for by one Stop and by a restart, and the status says so', async () => {
    const lost = await Promise.all([loseServer(), loseServer()])
    const [{ server: stopped }, { server: restarted }] = lost
    stopped.stopOrEscalate()
    restarted.restart()
    expect([stopped, restarted].map(({ status }) => status.kind)).toEqual(['stopping', 'stopping'])
    await until(() => [stopped, restarted].every(({ status }) => status.kind !== 'stopping'))
    expect(lost.filter(({ left }) => isRunning(left))).toEqual([])
    expect(stopped.status.kind).toBe('stopped')
    await untilKind(restarted, 'ready')
  })
})
