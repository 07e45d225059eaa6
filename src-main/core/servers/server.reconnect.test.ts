import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isTreeAlive } from '../../../e2e/fixtures/is-tree-alive'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { node, PLAIN, TestServers, until, untilKind } from '../../../e2e/fixtures/test-servers'
import type { ChildSpec } from '../process/spawn/child-process'
import type { Server } from './server'

const script = (name: string): string => join(import.meta.dirname, '../../../e2e/servers', name)
const EXITS = node(script('exits.mjs'))
const SILENT = node(script('silent.mjs'))
const WORKS = node(script('works.mjs'))

let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

type Opened = {
  readonly server: Server
  readonly lines: () => string[]
  readonly pid: number
  readonly kinds: string[]
  /** The program of the next start or reconnect. */
  next: ChildSpec | Promise<ChildSpec>
}

async function open(first = node(PLAIN), settings = {}): Promise<Opened> {
  const kinds: string[] = []
  const opened: { next: Opened['next'] } = { next: first }
  const { server, lines } = supervisors.open({
    prepare: () => opened.next,
    handshakeMs: 60_000,
    settings,
    onDidChange: () => kinds.push(server.status.kind),
  })
  server.start()
  await untilKind(server, 'ready')
  kinds.length = 0
  return Object.assign(opened, { server, lines, kinds, pid: server.session?.pid ?? 0 })
}

const call = (server: Server, name: string, args = {}): Promise<unknown> | undefined =>
  server.session?.request('tools/call', { name, arguments: args })

const untilReconnected = (server: Server): Promise<void> =>
  until(() => server.reconnecting === undefined)

describe('C2: a reconnect', () => {
  it('uses the old session until the new one is Ready, then switches and ends the old one', async () => {
    const opened = await open()
    const { server, pid, kinds } = opened
    const held = Promise.withResolvers<ChildSpec>()
    opened.next = held.promise
    expect(server.reconnect()).toBe(true)
    expect([server.reconnecting, server.status.kind]).toEqual(['resolve', 'ready'])
    expect(await call(server, 'echo', { n: 1 })).toMatchObject({ content: [{ text: '{"n":1}' }] })
    expect([server.session?.pid, server.capabilities.tools.length]).toEqual([pid, 1])
    await until(() => server.phases.length === 1)
    expect(server.phases).toMatchObject([{ phase: 'resolve', outcome: 'running' }])
    held.resolve(WORKS)
    await untilReconnected(server)
    expect(server.session?.pid).not.toBe(pid)
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['slow', 'late', 'fail'])
    expect(server.phases.map(({ outcome }) => outcome)).toEqual([
      'done',
      'skipped',
      'done',
      'done',
      'done',
    ])
    await until(() => !isTreeAlive(pid))
    expect(new Set(kinds)).toEqual(new Set(['ready']))
    expect([server.counts.starts, server.counts.restarts, server.counts.losses]).toEqual([2, 0, 0])
  })

  it('restarts the uptime and announces that tools may have changed', async () => {
    const clock = new ManualClock()
    const { server } = supervisors.open({ time: clock, settings: { healthChecks: false } })
    expect([server.upSince, server.generation]).toEqual([undefined, 0])
    server.start()
    await untilKind(server, 'ready')
    const since = clock.now()
    clock.pass(5_000)
    expect([server.upSince, server.generation]).toEqual([since, 1])
    server.reconnect()
    clock.pass(1_000)
    expect([server.upSince, server.generation]).toEqual([since, 1])
    await untilReconnected(server)
    expect([server.upSince, server.generation]).toEqual([since + 6_000, 2])
    const stopped = server.stop()
    expect(server.upSince).toBeUndefined()
    await stopped
    expect([server.upSince, server.generation]).toEqual([undefined, 2])
  })

  it('lets requests in flight finish on the old session', async () => {
    const { server, pid } = await open(WORKS)
    const answer = call(server, 'late')
    const giveUp = new AbortController()
    const other = expect(
      server.session?.request(
        'tools/call',
        { name: 'slow', arguments: {} },
        { signal: giveUp.signal },
      ),
    ).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    server.reconnect()
    await until(() => server.session?.pid !== pid)
    expect(isTreeAlive(pid)).toBe(true)
    // The server answers one request when the other is canceled.
    giveUp.abort()
    await other
    expect(await answer).toMatchObject({ content: [] })
    await until(() => !isTreeAlive(pid))
  })

  it('fails requests on the old session after 5 s', async () => {
    const opened = await open(WORKS)
    const { server, pid } = opened
    const answer = expect(call(server, 'slow')).rejects.toMatchObject({ code: 'SERVER_EXITED' })
    const held = Promise.withResolvers<ChildSpec>()
    opened.next = held.promise
    server.reconnect()
    // The switch may be observed late; it happens after this.
    const before = performance.now()
    held.resolve(WORKS)
    await until(() => server.session?.pid !== pid)
    await answer
    expect(performance.now() - before).toBeGreaterThan(4_900)
    await until(() => !isTreeAlive(pid))
  })

  it('that fails ends the new session, keeps the old one, and warns until one succeeds', async () => {
    const opened = await open()
    const { server, pid, lines } = opened
    opened.next = EXITS
    server.reconnect()
    await until(() => server.reconnecting !== undefined && server.phases.length > 2)
    await untilKind(server, 'degraded')
    expect(server.status).toEqual({
      kind: 'degraded',
      warnings: [
        'Reconnecting failed, so the previous session stays in use. The server exited with code 3 before it responded.',
      ],
    })
    expect([server.reconnecting, server.session?.pid]).toEqual([undefined, pid])
    expect(await call(server, 'echo')).toBeDefined()
    expect(lines()).toContain(
      'Reconnecting failed: The server exited with code 3 before it responded.',
    )
    expect(lines().filter((line) => line === 'Missing the one thing it needs')).toHaveLength(1)
    opened.next = node(PLAIN)
    server.reconnect()
    await untilKind(server, 'ready')
    expect(server.session?.pid).not.toBe(pid)
  })

  it('joins the running one, and ignores a start meanwhile', async () => {
    const { server } = await open()
    expect([server.reconnect(), server.reconnect(), server.start()]).toEqual([true, true, false])
    await untilReconnected(server)
    expect(server.counts.starts).toBe(2)
  })

  it('is rejected without a session', async () => {
    const { server } = supervisors.open({ spec: SILENT })
    expect(server.reconnect()).toBe(false)
    server.start()
    expect(server.reconnect()).toBe(false)
    const stopped = server.stop()
    expect(server.reconnect()).toBe(false)
    await stopped
    expect(server.counts.starts).toBe(1)
  })

  it('is ended with the current session by a stop', async () => {
    const opened = await open()
    const { server, pid, kinds } = opened
    opened.next = SILENT
    server.reconnect()
    const newest = (): number | undefined =>
      server.phases.find(({ phase }) => phase === 'handshake')?.startedAt
    await until(() => newest() !== undefined)
    await server.stop()
    expect([server.status.kind, server.reconnecting, isTreeAlive(pid)]).toEqual([
      'stopped',
      undefined,
      false,
    ])
    expect(new Set(kinds)).toEqual(new Set(['ready', 'stopping', 'stopped']))
    expect(supervisors.marked()).toEqual([])
  })

  it('becomes the start if the current session is lost meanwhile', async () => {
    const opened = await open()
    const { server, pid, kinds } = opened
    const held = Promise.withResolvers<ChildSpec>()
    opened.next = held.promise
    server.reconnect()
    process.kill(pid, 'SIGKILL')
    await untilKind(server, 'starting')
    expect([server.reconnecting, server.session]).toEqual([undefined, undefined])
    held.resolve(node(PLAIN))
    await untilKind(server, 'ready')
    expect([server.counts.starts, server.counts.losses]).toEqual([2, 1])
    expect([...new Set(kinds)]).toEqual(['ready', 'starting'])
  })

  it('fails like a start after it became one', async () => {
    const opened = await open(node(PLAIN), { startsAgain: true })
    const { server, pid } = opened
    const held = Promise.withResolvers<ChildSpec>()
    opened.next = held.promise
    server.reconnect()
    process.kill(pid, 'SIGKILL')
    await untilKind(server, 'starting')
    held.resolve(EXITS)
    await untilKind(server, 'backingOff')
    expect(server.status).toMatchObject({
      because: 'failedStart',
      code: 'SERVER_EXITED',
      attempt: 2,
    })
  })
})
