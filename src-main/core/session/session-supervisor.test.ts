import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pLimit from 'p-limit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isTreeAlive } from '../../../e2e/fixtures/is-tree-alive'
import { PackageInstaller } from '../launch/package-installer'
import { LogBuffer } from '../log/log-buffer'
import type { ChildSpec } from '../process/child-process'
import { SessionSupervisor } from './session-supervisor'

const PLAIN = join(import.meta.dirname, '../../../e2e/servers/plain.mjs')
const env = { PATH: process.env.PATH ?? '' }
const node = (...args: string[]): ChildSpec => ({ command: process.execPath, args, env })

let dir: string
const opened: SessionSupervisor[] = []
const installers: PackageInstaller[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'patchbay-supervisor-'))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.end()))
  await Promise.all(installers.splice(0).map((one) => one.close()))
  rmSync(dir, { recursive: true, force: true })
})

/** One supervisor over a real child and a real install command. */
function supervise(options: {
  spec?: ChildSpec
  install?: ChildSpec
  /** The limit of each start, the last one for all others. */
  installMs?: readonly number[]
  slots?: ReturnType<typeof pLimit>
  installer?: PackageInstaller
  selfInstallKey?: string
}): { server: SessionSupervisor; log: LogBuffer; lines: () => string[] } {
  const limits = [...(options.installMs ?? [20_000])]
  const installer = options.installer ?? new PackageInstaller(2)
  installers.push(installer)
  const log = new LogBuffer(() => undefined)
  const server = new SessionSupervisor({
    prepare: () =>
      Promise.resolve({
        spec: options.spec ?? node(PLAIN),
        install: options.install,
        selfInstallKey: options.selfInstallKey,
        budgets: {
          installMs: (limits.length > 1 ? limits.shift() : limits[0]) ?? 20_000,
          handshakeMs: 10_000,
          discoverMs: 10_000,
          requestMs: 10_000,
        },
        maxMessageBytes: 1_000_000,
        shown: 'fixture',
      }),
    installer,
    slots: options.slots ?? pLimit(4),
    log,
    clientVersion: '0',
    onDidChange: () => undefined,
  })
  opened.push(server)
  return { server, log, lines: () => log.read(-1, 5_000).entries.map(({ text }) => text) }
}

async function until(isSo: () => boolean, what: () => string = () => 'it'): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`still waiting for ${what()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function untilKind(server: SessionSupervisor, kind: string): Promise<void> {
  await until(
    () => server.status.kind === kind,
    () => `${kind}: ${JSON.stringify(server.status)}`,
  )
}

/** An install command that says "begun", appends its pid to `runs`, and ends well once `ms` have passed. */
function slowInstall(ms: number): { install: ChildSpec; runs: () => number[] } {
  const file = join(dir, 'runs')
  const code = `require('fs').appendFileSync(${JSON.stringify(file)}, process.pid + ' '); console.log('begun'); setTimeout(() => console.log('ended'), ${String(ms)})`
  return {
    install: node('-e', code),
    runs: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : []),
  }
}

describe('B9 an install that takes long', () => {
  it('goes on after its budget; the next start joins it and hears each line once', async () => {
    const { install, runs } = slowInstall(2_500)
    const { server, lines } = supervise({ install, installMs: [1_000, 20_000] })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({ code: 'PHASE_TIMEOUT' })
    server.start()
    await untilKind(server, 'ready')
    expect(runs()).toHaveLength(1)
    expect(lines().filter((line) => line === 'ended')).toHaveLength(1)
  })

  it('is ended by a stop of the start that joined it', async () => {
    const { install, runs } = slowInstall(60_000)
    const { server } = supervise({ install, installMs: [500, 20_000] })
    server.start()
    await untilKind(server, 'error')
    server.start()
    await until(() => server.phases.some(({ phase }) => phase === 'install'))
    await server.stop()
    await until(() => runs().every((pid) => !isTreeAlive(pid)))
  })

  it('begins anew when it is restarted, once the cancelled one is gone', async () => {
    const { install, runs } = slowInstall(1_000)
    const { server } = supervise({ install })
    server.start()
    await until(() => runs().length === 1)
    server.restart()
    await untilKind(server, 'ready')
    expect(runs()).toHaveLength(2)
  })

  it('is ended at quit although nobody waits for it any more', async () => {
    const { install, runs } = slowInstall(60_000)
    const installer = new PackageInstaller(2)
    const { server } = supervise({ install, installMs: [500], installer })
    server.start()
    await untilKind(server, 'error')
    expect(runs().filter((pid) => isTreeAlive(pid))).toHaveLength(1)
    await installer.close()
    expect(runs().filter((pid) => isTreeAlive(pid))).toEqual([])
  })
})

describe('B9 downloads', () => {
  it('hold no place of a server that needs none, and those that wait say so without losing time', async () => {
    const slots = pLimit(1)
    const installer = new PackageInstaller(1)
    const { install, runs } = slowInstall(60_000)
    const first = supervise({ install, slots, installer }).server
    const fetch = node('-e', 'console.log("fetched")')
    const waiting = supervise({ install: fetch, installMs: [6_000], slots, installer }).server
    const free = supervise({ slots, installer }).server
    for (const server of [first, waiting, free]) server.start()
    await untilKind(free, 'ready')
    await until(() => runs().length === 1)
    await until(() => waiting.phases.at(-1)?.isWaiting === true)
    await new Promise((resolve) => setTimeout(resolve, 7_000))
    expect(waiting.status).toEqual({ kind: 'starting', phase: 'install' })
    await first.stop()
    expect(runs().filter((pid) => isTreeAlive(pid))).toEqual([])
    await untilKind(waiting, 'ready')
    const installing = waiting.phases.find(({ phase }) => phase === 'install')
    expect(installing).toMatchObject({ outcome: 'done', isWaiting: false })
  })

  it('of a runner that fetches by itself count in its first handshake only', async () => {
    const installer = new PackageInstaller(1)
    const { server } = supervise({ installer, installMs: [30_000], selfInstallKey: 'dnx one' })
    const budgets: (number | undefined)[] = []
    for (let round = 0; round < 2; round += 1) {
      server.start()
      await untilKind(server, 'ready')
      const shaken = server.phases.find(({ phase }) => phase === 'handshake')
      budgets.push(shaken?.budgetMs)
      expect(shaken?.note).toBe(round === 0 ? 'downloads first' : undefined)
      await server.stop()
    }
    expect(budgets).toEqual([30_000, 10_000])
  })
})

describe('a runner that is set up first', () => {
  it('shows as a step of the start, which then goes on by itself', async () => {
    const { server, lines } = supervise({})
    server.start({
      limitMs: 10_000,
      run: (onLine) => {
        onLine('installing')
        return Promise.resolve()
      },
    })
    expect(server.status).toEqual({ kind: 'starting', phase: 'setUp' })
    await untilKind(server, 'ready')
    expect(server.phases[0]).toMatchObject({ phase: 'setUp', outcome: 'done' })
    expect(lines()).toContain('installing')
  })

  it('is over before a stop or its limit is', async () => {
    const { server } = supervise({})
    const ends: string[] = []
    const run = async (_onLine: unknown, signal: AbortSignal): Promise<void> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await new Promise((resolve) => setTimeout(resolve, 100))
      ends.push(server.status.kind)
      signal.throwIfAborted()
    }
    expect(server.start({ limitMs: 10_000, run })).toBe(true)
    await until(() => server.phases.length === 1)
    expect(server.start({ limitMs: 10_000, run })).toBe(false)
    const stopped = server.stop()
    expect(server.start({ limitMs: 10_000, run })).toBe(false)
    await stopped
    expect(server.status.kind).toBe('stopped')
    server.start({ limitMs: 100, run })
    await untilKind(server, 'error')
    expect(ends).toEqual(['stopping', 'starting'])
    expect(server.status).toMatchObject({ code: 'PHASE_TIMEOUT' })
  })
})

describe('B9 slots', () => {
  it('come back after a spawn that fails, an install that fails, and a start cancelled in the queue', async () => {
    const slots = pLimit(1)
    const busy = Promise.withResolvers<undefined>()
    const held = slots(() => busy.promise)
    const { server: queued, lines } = supervise({ slots })
    queued.start()
    await until(() =>
      queued.phases.some(({ phase, isWaiting }) => phase === 'spawn' && isWaiting === true),
    )
    await queued.stop()
    expect(queued.status).toEqual({ kind: 'stopped' })
    busy.resolve(undefined)
    await held
    // Its turn came after it was cancelled: nothing runs then.
    await until(() => slots.activeCount + slots.pendingCount === 0)
    expect(lines()).not.toContain('fixture')
    for (const broken of [
      { spec: node(PLAIN), install: node('-e', 'process.exitCode = 4') },
      { spec: { command: join(dir, 'no-such-program'), args: [], env } },
      { spec: { command: dir, args: [], env } },
      { spec: node(PLAIN, 'x'.repeat(200_000)) },
      { spec: node(PLAIN, 'nul\0in it') },
    ]) {
      const { server } = supervise({ ...broken, slots })
      server.start()
      await untilKind(server, 'error')
    }
    const last = supervise({ slots }).server
    last.start()
    await untilKind(last, 'ready')
    expect(slots.activeCount + slots.pendingCount).toBe(0)
  })
})

describe('B7 a spawn that the system refuses', () => {
  it.skipIf(process.platform === 'win32').each([
    ['too long', 'x'.repeat(200_000), 'its values are too long'],
    ['with a NUL', 'private\0value', 'the system refused it'],
  ])('is an error that does not quote an argument %s', async (_what, argument, reason) => {
    const { server } = supervise({ spec: node(PLAIN, argument) })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({ code: 'SPAWN_FAILED' })
    expect(JSON.stringify(server.status)).toContain(reason)
    expect(JSON.stringify(server.status)).not.toContain('private')
  })
})
