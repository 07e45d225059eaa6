import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isTreeAlive } from '../../../e2e/fixtures/is-tree-alive'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { node, PLAIN, TestServers, until, untilKind } from '../../../e2e/fixtures/test-servers'
import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import type { ChildSpec } from '../process/spawn/child-process'
import type { Server } from './server'

const EXITS = join(import.meta.dirname, '../../../e2e/servers/exits.mjs')
const HANGS = join(import.meta.dirname, '../../../e2e/servers/hangs.mjs')
const AGAIN = { startsAgain: true }

let supervisors: TestServers
let clock: ManualClock
beforeEach(() => {
  supervisors = new TestServers()
  clock = new ManualClock()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

const kill = (server: Server): boolean => process.kill(server.session?.pid ?? 0, 'SIGKILL')

describe('A8: a failed start', () => {
  it('is not retried if its cause needs the user', async () => {
    const says = 'Error: NOTES_API_KEY environment variable is required'
    const code = `console.error(${JSON.stringify(says)}); process.exitCode = 1`
    const { server } = supervisors.open({ spec: node('-e', code), settings: AGAIN, time: clock })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({
      code: 'SERVER_EXITED',
      cause: {
        causeId: 'variable-missing',
        isPermanent: true,
        step: { kind: 'configure', variable: 'NOTES_API_KEY' },
      },
    })
    expect(server.counts.starts).toBe(1)
  })

  it.each([
    {
      says: 'Error: NOTES_API_KEY environment variable is required',
      exit: 1,
      causeId: 'variable-missing',
    },
    {
      says: '  File "/srv/app.py", line 3\nModuleNotFoundError: No module named \'acme\'',
      exit: 1,
      causeId: 'python-module-missing',
    },
    {
      says: 'USAGE\n  notes start\nCOMMANDS\n  start  Runs the server',
      exit: 0,
      causeId: 'help-with-command',
    },
  ])('finds the cause $causeId in stdout', async ({ says, exit, causeId }) => {
    const code = `process.stdout.write(${JSON.stringify(says)}); process.exitCode = ${exit}`
    const { server } = supervisors.open({ spec: node('-e', code) })
    server.start()
    await untilKind(server, 'error')
    const { stderrTail, cause, hint } = server.status as Extract<RunStatus, { kind: 'error' }>
    expect(stderrTail).toEqual(says.split('\n'))
    expect([cause?.causeId, hint]).toEqual([causeId, expect.not.stringContaining('nothing')])
  })

  it('shows all lines of an object printed on stdout', async () => {
    const code = `console.log(JSON.stringify({ ok: false, message: 'written by a newer release' }, null, 2)); process.exitCode = 1`
    const { server } = supervisors.open({ spec: node('-e', code) })
    server.start()
    await untilKind(server, 'error')
    const { stderrTail, hint } = server.status as Extract<RunStatus, { kind: 'error' }>
    expect(stderrTail).toContain('  "message": "written by a newer release"')
    expect(hint).not.toContain('nothing')
  })

  it('shows the first error line with the last lines, and finds its cause there', async () => {
    const code = `console.error('Error: NOTES_API_KEY is not set')
      for (let line = 1; line <= 50; line += 1) console.error('  usage ' + line)
      process.exitCode = 1`
    const { server } = supervisors.open({ spec: node('-e', code) })
    server.start()
    await untilKind(server, 'error')
    const { stderrTail, cause } = server.status as Extract<RunStatus, { kind: 'error' }>
    expect([stderrTail[0], stderrTail.at(-1), stderrTail.length]).toEqual([
      'Error: NOTES_API_KEY is not set',
      '  usage 50',
      20,
    ])
    expect(cause?.causeId).toBe('variable-missing')
  })

  it('is retried with growing waits, then paused, and logs each step', async () => {
    const settings = { ...AGAIN, startTries: 3 }
    const { server, lines } = supervisors.open({ spec: node(EXITS), settings, time: clock })
    server.start()
    await untilKind(server, 'backingOff')
    expect(server.status).toMatchObject({
      code: 'SERVER_EXITED',
      because: 'failedStart',
      attempt: 2,
      of: 3,
      stderrTail: ['Missing the one thing it needs'],
    })
    clock.pass(999)
    expect(server.status.kind).toBe('backingOff')
    clock.pass(251)
    expect(server.status).toEqual({ kind: 'starting', phase: 'resolve' })
    await untilKind(server, 'backingOff')
    expect(server.status).toMatchObject({ attempt: 3, of: 3 })
    clock.pass(2_500)
    await untilKind(server, 'paused')
    expect(server.status).toMatchObject({
      code: 'SERVER_EXITED',
      reason: 'Failed to start 3 times in a row.',
      stderrTail: ['Missing the one thing it needs'],
    })
    expect([server.counts.starts, server.counts.restarts, server.counts.losses]).toEqual([3, 2, 0])
    const reported = lines().filter((line) => /^(?:Start|Restarting|Paused)/u.test(line))
    expect(reported).toEqual([
      'Start 1, by you',
      expect.stringMatching(/^Restarting in 1(?:\.\d)? s \(attempt 2 of 3\)$/u),
      'Start 2, automatically',
      expect.stringMatching(/^Restarting in [12](?:\.\d)? s \(attempt 3 of 3\)$/u),
      'Start 3, automatically',
      'Paused: Failed to start 3 times in a row',
    ])
    clock.pass(10_000_000)
    expect(server.counts.starts).toBe(3)
  })

  it('recovers automatically, with real waits', async () => {
    let tries = 0
    const { server } = supervisors.open({
      prepare: () => node((tries += 1) < 3 ? EXITS : PLAIN),
      settings: { ...AGAIN, firstWaitMs: 100 },
    })
    server.start()
    await untilKind(server, 'ready')
    expect([tries, server.counts.restarts]).toEqual([3, 2])
  })

  it('is retried immediately by the user, with earlier failures forgotten', async () => {
    const settings = { ...AGAIN, startTries: 2 }
    const { server } = supervisors.open({ spec: node(EXITS), settings, time: clock })
    for (const round of [1, 2]) {
      server.start()
      await untilKind(server, 'backingOff')
      expect(server.status).toMatchObject({ attempt: 2 })
      expect([server.counts.starts, server.counts.restarts]).toEqual([round, 0])
    }
    clock.pass(5_000)
    await untilKind(server, 'paused')
    expect(server.start()).toBe(true)
    await untilKind(server, 'backingOff')
  })

  it.each([
    ['the command is not there', { command: 'no-such-command-here', args: [], env: {} }, AGAIN],
    ['nothing is to start again', node(EXITS), { startsAgain: false }],
  ])('stays an error if %s', async (_what, spec: ChildSpec, settings) => {
    const { server } = supervisors.open({ spec, settings, time: clock })
    server.start()
    await untilKind(server, 'error')
    clock.pass(10_000_000)
    expect([server.status.kind, server.counts.starts]).toEqual(['error', 1])
  })

  it('becomes an error immediately if automatic restarts are turned off', async () => {
    const { server, settings } = supervisors.open({
      spec: node(EXITS),
      settings: AGAIN,
      time: clock,
    })
    server.start()
    await untilKind(server, 'backingOff')
    settings.startsAgain = false
    server.settingsChanged()
    expect(server.status).toMatchObject({ kind: 'error', code: 'SERVER_EXITED' })
    clock.pass(10_000_000)
    expect(server.counts.starts).toBe(1)
  })

  it('leaves no process during the wait, and a stop cancels the wait', async () => {
    const { server } = supervisors.open({
      spec: node(HANGS, 'initialize'),
      handshakeMs: 500,
      settings: AGAIN,
      time: clock,
    })
    server.start()
    await until(() => server.session !== undefined)
    const pid = server.session?.pid ?? 0
    await untilKind(server, 'backingOff')
    expect([isTreeAlive(pid), server.session]).toEqual([false, undefined])
    await server.stop()
    expect(server.status).toEqual({ kind: 'stopped' })
    clock.pass(10_000_000)
    expect([server.status.kind, server.counts.starts]).toEqual(['stopped', 1])
  })
})

describe('B11: a lost session', () => {
  it('recovers automatically', async () => {
    const seen: RunStatus[] = []
    const { server } = supervisors.open({
      settings: { ...AGAIN, firstWaitMs: 100 },
      onDidChange: () => seen.push(server.status),
    })
    server.start()
    await untilKind(server, 'ready')
    const pid = server.session?.pid
    kill(server)
    await until(() => seen.some(({ kind }) => kind === 'backingOff'))
    expect(seen.find(({ kind }) => kind === 'backingOff')).toMatchObject({
      code: 'SERVER_KILLED',
      because: 'lostSession',
      attempt: 1,
    })
    await untilKind(server, 'ready')
    expect(server.session?.pid).not.toBe(pid)
    expect([server.counts.starts, server.counts.restarts, server.counts.losses]).toEqual([2, 1, 1])
  })

  it('cools down after too many losses, gets a test start, and pauses if test starts fail', async () => {
    let script = PLAIN
    const settings = { ...AGAIN, breakerLosses: 2, breakerRestMs: 30_000, startTries: 2 }
    const { server, lines } = supervisors.open({
      prepare: () => node(script),
      settings,
      time: clock,
    })
    server.start()
    for (const because of ['lostSession', 'rest']) {
      await untilKind(server, 'ready')
      kill(server)
      await untilKind(server, 'backingOff')
      expect(server.status).toMatchObject({ because })
      if (because === 'lostSession') clock.pass(1_300)
    }
    expect(server.status).toMatchObject({ attempt: 1, of: 2, until: clock.now() + 30_000 })
    expect(lines()).toContain(
      'Crashed too often: cooling down for 30 s, then test start (attempt 1 of 2)',
    )
    clock.pass(29_999)
    expect(server.status.kind).toBe('backingOff')
    script = EXITS
    clock.pass(1)
    await untilKind(server, 'backingOff')
    expect(server.status).toMatchObject({ because: 'rest', attempt: 2, of: 2 })
    script = PLAIN
    clock.pass(30_000)
    await untilKind(server, 'ready')
    kill(server)
    await untilKind(server, 'paused')
    expect(server.status).toMatchObject({ code: 'SERVER_KILLED' })
    server.start()
    await untilKind(server, 'ready')
    kill(server)
    await untilKind(server, 'backingOff')
    expect(server.status).toMatchObject({ because: 'lostSession', attempt: 1 })
  })

  it('closes the circuit breaker once a test start has stayed Ready', async () => {
    const settings = { ...AGAIN, breakerLosses: 2, longestWaitMs: 10_000, healthChecks: false }
    const { server } = supervisors.open({ settings, time: clock })
    server.start()
    for (const waitMs of [1_300, 60_000]) {
      await untilKind(server, 'ready')
      kill(server)
      await untilKind(server, 'backingOff')
      clock.pass(waitMs)
    }
    await untilKind(server, 'ready')
    clock.pass(10_000)
    kill(server)
    await untilKind(server, 'backingOff')
    expect(server.status).toMatchObject({ because: 'lostSession', attempt: 1 })
  })
})

describe('B11: sleep, wake and a changed clock', () => {
  it('count neither losses nor failed starts', async () => {
    let script = PLAIN
    const settings = { ...AGAIN, breakerLosses: 2, startTries: 2, healthChecks: false }
    const { server } = supervisors.open({ prepare: () => node(script), settings, time: clock })
    server.start()
    for (let round = 0; round < 3; round += 1) {
      await untilKind(server, 'ready')
      clock.set(3_600_000)
      kill(server)
      await untilKind(server, 'backingOff')
      expect(server.status).toMatchObject({ because: 'lostSession', attempt: 1 })
      if (round === 2) script = EXITS
      clock.pass(1_300)
    }
    for (let round = 0; round < 3; round += 1) {
      await untilKind(server, 'backingOff')
      expect(server.status).toMatchObject({ because: 'failedStart', attempt: 1 })
      clock.pass(1_300)
    }
  })

  it("don't change the length of a wait, and update the shown time", async () => {
    const { server } = supervisors.open({
      spec: node(EXITS),
      settings: { ...AGAIN, firstWaitMs: 20_000 },
      time: clock,
    })
    server.start()
    await untilKind(server, 'backingOff')
    const { until: before } = server.status as { until: number }
    const leftMs = before - clock.now()
    clock.set(-3_600_000)
    clock.pass(5_000)
    expect(server.status).toMatchObject({ until: before - 3_600_000 })
    clock.pass(leftMs - 5_001)
    expect(server.status.kind).toBe('backingOff')
    clock.pass(1)
    expect(server.status.kind).toBe('starting')
  })
})
