import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isRunning } from '../../../e2e/fixtures/is-running'
import { stayingIn } from '../../../e2e/fixtures/stop-grace'
import { node, TestServers, until, untilKind } from '../../../e2e/fixtures/test-servers'
import type { Server } from './server'

const SCRIPT = join(import.meta.dirname, '../../../e2e/servers/leaves-child.mjs')
let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

type Lost = {
  readonly server: Server
  readonly lines: () => string[]
  /** A process that the server left behind. */
  readonly left: number
}

/** Opens a server that exits during a call and leaves a process behind that only SIGKILL ends. */
async function loseServer(): Promise<Lost> {
  const { server, lines } = supervisors.open({ spec: node(SCRIPT, 'stubborn') })
  server.start()
  // From this line on, the child ignores SIGTERM.
  await until(() => server.status.kind === 'ready' && lines().includes('Not leaving'))
  const called = server.session?.request('tools/call', { name: 'leave', arguments: {} })
  await expect(called).rejects.toThrow()
  await untilKind(server, 'error')
  const said = /Leaves (\d+) behind/u.exec(lines().join('\n'))
  return { server, lines, left: Number(said?.[1]) }
}

describe.skipIf(process.platform === 'win32')('B6: processes left by a lost server', () => {
  it('are killed by pressing Stop again, with the status Stopping until then', async () => {
    await stayingIn(['stdinMs', 'termMs'], async () => {
      const { server, lines, left } = await loseServer()
      server.stopOrEscalate()
      expect(server.status).toEqual({ kind: 'stopping' })
      expect(isRunning(left)).toBe(true)
      server.stopOrEscalate()
      await until(() => lines().includes('SIGTERM ignored'))
      expect(server.status).toEqual({ kind: 'stopping' })
      server.stopOrEscalate()
      await untilKind(server, 'stopped')
      expect(isRunning(left)).toBe(false)
      expect(lines().filter((line) => line === 'Stopped')).toHaveLength(1)
    })
  })

  it('show in the status if they linger, until they are gone', async () => {
    const { server, left } = await loseServer()
    const leftover = (): unknown => server.status.kind === 'error' && server.status.leftover
    expect(leftover()).toBeUndefined()
    await until(() => leftover() === 'processes')
    expect(isRunning(left)).toBe(true)
    await until(() => leftover() === undefined)
    expect(isRunning(left)).toBe(false)
    expect(server.status.kind).toBe('error')
  })

  it('delay the next start, which says so', async () => {
    const { server, left } = await loseServer()
    server.start()
    await until(() => server.phases.length > 0)
    expect(isRunning(left)).toBe(true)
    expect(server.phases).toMatchObject([
      { phase: 'resolve', isWaiting: true, note: 'the previous process is still ending' },
    ])
    const { startedAt: from = 0 } = server.phases[0] ?? {}
    await until(() => !isRunning(left))
    await untilKind(server, 'ready')
    const [resolve] = server.phases
    expect(resolve).toMatchObject({ phase: 'resolve', isWaiting: false, outcome: 'done' })
    expect(resolve?.note).toBeUndefined()
    expect(resolve?.startedAt).toBeGreaterThan(from)
  })

  it('delay a stop and a restart, and the status says so', async () => {
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
