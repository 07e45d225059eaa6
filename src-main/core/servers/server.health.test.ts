import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isTreeAlive } from '../../../e2e/fixtures/is-tree-alive'
import { node, PLAIN, TestServers, until, untilKind } from '../../../e2e/fixtures/test-servers'
import type { Server } from './server'

const script = (name: string): string => join(import.meta.dirname, '../../../e2e/servers', name)
/** Longer would slow the test down, shorter would make a busy computer miss pings. */
const OFTEN = { startsAgain: true, healthMs: 1_000 }

let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

async function startedBy(
  options: Parameters<TestServers['open']>[0],
): Promise<ReturnType<TestServers['open']> & { pid: number }> {
  const opened = supervisors.open(options)
  opened.server.start()
  await untilKind(opened.server, 'ready')
  return { ...opened, pid: opened.server.session?.pid ?? 0 }
}

const warnings = ({ status }: Server): string =>
  status.kind === 'degraded' ? status.warnings.join(' ') : ''

describe.skipIf(process.platform === 'win32')('B11: a hanging server', () => {
  it('is Degraded after a missed ping and Ready after the next answer', async () => {
    const { server, pid } = await startedBy({ settings: { ...OFTEN, healthMs: 1_500 } })
    process.kill(pid, 'SIGSTOP')
    await untilKind(server, 'degraded')
    expect(warnings(server)).toContain('No response to the last health check')
    process.kill(pid, 'SIGCONT')
    await untilKind(server, 'ready')
    expect([server.session?.pid, server.counts.starts]).toEqual([pid, 1])
  })

  it('gets a new session after three missed pings', async () => {
    const { server, pid, lines } = await startedBy({ settings: OFTEN })
    process.kill(pid, 'SIGSTOP')
    await until(() => server.session?.pid !== pid)
    await untilKind(server, 'ready')
    await until(() => !isTreeAlive(pid))
    expect([server.counts.starts, server.counts.restarts, server.counts.losses]).toEqual([2, 1, 0])
    expect(lines()).toContain('The server no longer responds to health checks')
  })

  it('is ended and counts as lost if no new session starts', async () => {
    let name = PLAIN
    const { server, pid } = await startedBy({
      prepare: () => node(name),
      settings: { ...OFTEN, firstWaitMs: 600_000 },
    })
    name = script('exits.mjs')
    process.kill(pid, 'SIGSTOP')
    await untilKind(server, 'backingOff')
    expect(server.status).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'The server stopped responding, so Patchbay ended it.',
      because: 'lostSession',
    })
    expect(server.counts.losses).toBe(1)
    await until(() => !isTreeAlive(pid))
  })

  it('cools down instead of being replaced forever if it keeps hanging', async () => {
    const { server } = await startedBy({
      spec: node(script('falls-silent.mjs')),
      settings: { ...OFTEN, breakerLosses: 2, breakerRestMs: 600_000, breakerWindowMs: 3_000 },
    })
    const hush = (): void =>
      void server.session?.request('tools/call', { name: 'hush', arguments: {} })
    const first = server.session?.pid
    hush()
    await until(() => server.session?.pid !== first)
    await untilKind(server, 'ready')
    const second = server.session?.pid ?? 0
    hush()
    await untilKind(server, 'backingOff')
    expect(server.status).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      because: 'rest',
      attempt: 1,
      losses: 2,
      withinMs: 3_000,
    })
    expect([server.counts.starts, server.counts.restarts, server.counts.losses]).toEqual([2, 1, 1])
    await until(() => !isTreeAlive(second))
  })

  it('only gets a warning if automatic restarts are off', async () => {
    const { server, pid } = await startedBy({ settings: { ...OFTEN, startsAgain: false } })
    process.kill(pid, 'SIGSTOP')
    await until(() => warnings(server).includes('the last 4 health checks'))
    expect([server.counts.starts, server.reconnecting]).toEqual([1, undefined])
    process.kill(pid, 'SIGCONT')
    await untilKind(server, 'ready')
  })
})

describe('B11: health checks', () => {
  it('accept an error response to a ping', async () => {
    const { server } = await startedBy({
      spec: node(script('pingless.mjs')),
      settings: { ...OFTEN, startsAgain: false },
    })
    await until(() => server.counts.byteCounts.bytesOut > 700)
    expect(server.status).toEqual({ kind: 'ready' })
  })

  it('use server/discover for a stateless server, which has no ping', async () => {
    const { server, lines } = await startedBy({
      spec: node(script('modern-falls-silent.mjs')),
      settings: { ...OFTEN, startsAgain: false },
    })
    const asked = (method: string): number =>
      lines().filter((line) => line === `asked ${method}`).length
    const before = asked('server/discover')
    await until(() => asked('server/discover') >= before + 2)
    expect([server.session?.protocolMode, server.status]).toEqual(['stateless', { kind: 'ready' }])
    await server.session?.request('tools/call', { name: 'hush', arguments: {} })
    await untilKind(server, 'degraded')
    expect(warnings(server)).toContain('No response to the last health check')
    expect([asked('ping'), server.counts.starts]).toEqual([0, 1])
  })

  it('leave a server with a running call alone, however long the call takes', async () => {
    const { server } = await startedBy({ spec: node(script('blocks.mjs')), settings: OFTEN })
    const answer = server.session?.request('tools/call', {
      name: 'block',
      arguments: { ms: 6_000 },
    })
    expect(await answer).toBeDefined()
    expect([server.status.kind, server.counts.starts]).toEqual(['ready', 1])
  })

  it('leave a server with a running list request of Patchbay alone', async () => {
    const reported: string[] = []
    const { server } = supervisors.open({
      spec: node(script('slow-relist.mjs')),
      settings: OFTEN,
      onDidChange: () => reported.push(warnings(server)),
    })
    server.start()
    await until(() => server.generation === 2)
    expect(server.capabilities.tools).toMatchObject([{ name: 'tool-2' }])
    expect([new Set(reported), server.counts.starts]).toEqual([new Set(['']), 1])
  })

  it('apply a changed setting to a running server', async () => {
    const { server, settings, pid } = await startedBy({ settings: { healthChecks: false } })
    settings.healthChecks = true
    settings.healthMs = 500
    server.settingsChanged()
    if (process.platform === 'win32') return
    process.kill(pid, 'SIGSTOP')
    await untilKind(server, 'degraded')
    settings.healthChecks = false
    server.settingsChanged()
    expect(server.status.kind).toBe('ready')
  })
})
