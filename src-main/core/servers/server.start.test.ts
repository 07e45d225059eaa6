import { join } from 'node:path'

import pLimit from 'p-limit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { pause } from '../../../e2e/fixtures/pause'
import { node, PLAIN, TestServers, until, untilKind } from '../../../e2e/fixtures/test-servers'
import { createRedactor } from '../masking/redact'

const CLINGS = join(import.meta.dirname, '../../../e2e/servers/clings.mjs')
const CLOSES_FIRST = join(import.meta.dirname, '../../../e2e/servers/closes-first.mjs')

let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

describe('a runner setup before the start', () => {
  it('shows as a phase of the start, which then continues', async () => {
    const { server, lines } = supervisors.open({})
    server.start({
      setUp: {
        limitMs: 10_000,
        run: (onLine) => {
          onLine('installing')
          return Promise.resolve()
        },
      },
    })
    expect(server.status).toEqual({ kind: 'starting', phase: 'setUp' })
    await untilKind(server, 'ready')
    expect(server.phases[0]).toMatchObject({ phase: 'setUp', outcome: 'done' })
    expect(lines()).toContain('installing')
  })

  it('has ended before a stop or its time limit is reported', async () => {
    const { server } = supervisors.open({})
    const ends: string[] = []
    const run = async (_onLine: unknown, signal: AbortSignal): Promise<void> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await pause(100)
      ends.push(server.status.kind)
      signal.throwIfAborted()
    }
    expect(server.start({ setUp: { limitMs: 10_000, run } })).toBe(true)
    await until(() => server.phases.length === 1)
    expect(server.start({ setUp: { limitMs: 10_000, run } })).toBe(false)
    const stopped = server.stop()
    expect(server.start({ setUp: { limitMs: 10_000, run } })).toBe(false)
    await stopped
    expect(server.status.kind).toBe('stopped')
    server.start({ setUp: { limitMs: 100, run } })
    await untilKind(server, 'error')
    expect(ends).toEqual(['stopping', 'starting'])
    expect(server.status).toMatchObject({ code: 'PHASE_TIMEOUT' })
  })
})

describe('E15: the cause of a failed start', () => {
  it("includes the server's message with masked secrets", async () => {
    const text = `process.stderr.write('Error: there is no file, open\\n' + "ENOENT: no such file or directory, open '/home/s3cret'\\n"); process.exit(1)`
    const { server, log } = supervisors.open({ spec: node('-e', text) })
    log.setRedactor(createRedactor(['s3cret']))
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({
      code: 'SERVER_EXITED',
      cause: { causeId: 'file-missing', message: expect.stringContaining('/home/') as string },
    })
    expect(JSON.stringify(server.status)).not.toContain('s3cret')
  })

  it('includes the message of the program that fetches the package', async () => {
    const text = `console.error('npm error notarget No matching version found for notes@9.9.9.'); process.exit(1)`
    const { server } = supervisors.open({ install: node('-e', text) })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({
      code: 'INSTALL_FAILED',
      cause: { causeId: 'npm-version-gone' },
    })
  })

  it.each([
    ['its start', "console.error('API_TOKEN is not set')", 0],
    [
      'a time long gone',
      "process.on('SIGUSR2', () => console.error('API_TOKEN is not set'))",
      10_001,
    ],
  ])('is not searched in the %s of a session that was Ready', async (_when, says, passedMs) => {
    const ends = "process.on('SIGWINCH', () => process.exit(1))"
    const program = `data:text/javascript,${encodeURIComponent(`${says};${ends}`)}`
    const { server, lines } = supervisors.open({ spec: node('--import', program, PLAIN) })
    server.start()
    await untilKind(server, 'ready')
    const pid = server.session?.pid ?? 0
    if (!lines().includes('API_TOKEN is not set')) process.kill(pid, 'SIGUSR2')
    await until(() => lines().includes('API_TOKEN is not set'))
    using now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + passedMs)
    process.kill(pid, 'SIGWINCH')
    await untilKind(server, 'error')
    expect(now).toHaveBeenCalled()
    expect(server.status).toMatchObject({ code: 'SERVER_EXITED', cause: undefined })
  })

  it('is not claimed without evidence', async () => {
    const { server } = supervisors.open({ spec: node('-e', 'process.exit(1)') })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({ code: 'SERVER_EXITED', cause: undefined })
  })
})

describe('B9: slots', () => {
  it('are released after a failed spawn, a failed install, and a canceled start', async () => {
    const slots = pLimit(1)
    const busy = Promise.withResolvers<undefined>()
    const held = slots(() => busy.promise)
    const { server: queued, lines } = supervisors.open({ slots })
    queued.start()
    await until(() =>
      queued.phases.some(({ phase, isWaiting }) => phase === 'spawn' && isWaiting === true),
    )
    await queued.stop()
    expect(queued.status).toEqual({ kind: 'stopped' })
    busy.resolve(undefined)
    await held
    // The start was canceled before its turn, so nothing runs.
    await until(() => slots.activeCount + slots.pendingCount === 0)
    expect(lines()).not.toContain('fixture')
    for (const broken of [
      { spec: node(PLAIN), install: node('-e', 'process.exitCode = 4') },
      { spec: { command: join(supervisors.dir, 'no-such-program'), args: [], env: {} } },
      { spec: { command: supervisors.dir, args: [], env: {} } },
      { spec: node(PLAIN, 'x'.repeat(200_000)) },
      { spec: node(PLAIN, 'nul\0in it') },
    ]) {
      const { server } = supervisors.open({ ...broken, slots })
      server.start()
      await untilKind(server, 'error')
    }
    const last = supervisors.open({ slots }).server
    last.start()
    await untilKind(last, 'ready')
    expect(slots.activeCount + slots.pendingCount).toBe(0)
  })
})

describe('B7: a spawn that the system rejects', () => {
  it.skipIf(process.platform === 'win32').each([
    ['too long', 'x'.repeat(200_000), 'COMMAND_NOT_RUNNABLE', 'argument 2 has 200,000 bytes'],
    ['with a NUL', 'private\0value', 'SPAWN_FAILED', 'rejected by the system'],
  ])("is an error that doesn't quote an argument %s", async (_what, argument, code, reason) => {
    const { server } = supervisors.open({ spec: node(PLAIN, argument) })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({ code })
    expect(JSON.stringify(server.status)).toContain(reason)
    expect(JSON.stringify(server.status)).not.toMatch(/private|xxx/u)
  })
})

describe('B7: a server that closes its pipes before it exits', () => {
  it.skipIf(process.platform === 'win32')(
    'fails the call immediately; only the status waits for the exit code',
    async () => {
      const { server } = supervisors.open({ spec: node(CLOSES_FIRST) })
      server.start()
      await untilKind(server, 'ready')
      const { session } = server
      const asked = session?.request('tools/call', { name: 'turn_away' })
      await expect(asked).rejects.toMatchObject({
        message: 'The server closed its output while handling a request.',
      })
      // Requests don't wait either.
      await expect(session?.request('tools/call', {})).rejects.toMatchObject({
        code: 'SERVER_EXITED',
      })
      expect(server.status.kind).toBe('ready')
      process.kill(session?.pid ?? 0, 'SIGUSR2')
      await untilKind(server, 'error')
      expect(server.status).toMatchObject({
        message: 'The server exited with code 3 while in use.',
      })
    },
  )
})

describe('B6: the log of a server being stopped', () => {
  it('contains no error of a library that still wanted to write', async () => {
    const { server, lines } = supervisors.open({ spec: node(CLINGS, 'tools/call') })
    server.start()
    await untilKind(server, 'ready')
    const given = expect(
      server.session?.request('tools/call', { name: 'cling' }, { timeoutMs: 500 }),
    ).rejects.toThrow()
    await Promise.all([server.stop(), given])
    const said = lines()
    expect(said.slice(said.indexOf('Stopping') + 1)).toEqual([
      ...said.filter((line) => line === 'SIGTERM ignored' || line.includes('SIGKILL')),
      'Stopped',
    ])
  })
})
