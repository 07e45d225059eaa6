import pLimit from 'p-limit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isTreeAlive } from '../../../e2e/fixtures/is-tree-alive'
import { pause } from '../../../e2e/fixtures/pause'
import { node, TestServers, until, untilKind } from '../../../e2e/fixtures/test-servers'
import { PackageInstaller } from '../launch/downloads/package-installer'
import type { Server } from './server'
import type { CopyOfStart } from './start/launch'

let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

describe('B9: an install that exceeds its budget', () => {
  it('continues after its budget; the next start joins it and logs each line once', async () => {
    const { install, runs } = supervisors.slowInstall(2_500)
    const { server, lines } = supervisors.open({ install, installMs: [1_000, 20_000] })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({ code: 'PHASE_TIMEOUT' })
    server.start()
    await untilKind(server, 'ready')
    expect(runs()).toHaveLength(1)
    expect(lines().filter((line) => line === 'ended')).toHaveLength(1)
  })

  it('is ended by stopping the start that joined it', async () => {
    const { install, runs } = supervisors.slowInstall(60_000)
    const { server } = supervisors.open({ install, installMs: [500, 20_000] })
    server.start()
    await untilKind(server, 'error')
    server.start()
    await until(() => server.phases.some(({ phase }) => phase === 'install'))
    await server.stop()
    await until(() => runs().every((pid) => !isTreeAlive(pid)))
  })

  it('shows in the status of the failed start, and a stop ends it', async () => {
    const { install, runs } = supervisors.slowInstall(60_000)
    const { server } = supervisors.open({ install, installMs: [500] })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({ code: 'PHASE_TIMEOUT', leftover: 'download' })
    server.stopOrEscalate()
    expect(server.status.kind).toBe('stopping')
    await untilKind(server, 'stopped')
    expect(runs().filter((pid) => isTreeAlive(pid))).toEqual([])
  })

  it('is no longer reported once it has ended', async () => {
    const { install } = supervisors.slowInstall(5_000)
    const { server } = supervisors.open({ install, installMs: [300] })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({ leftover: 'download' })
    await until(() => server.status.kind === 'error' && server.status.leftover === undefined)
  })

  it('begins again after a restart, once the canceled one is gone', async () => {
    const { install, runs } = supervisors.slowInstall(4_000)
    const { server } = supervisors.open({ install })
    server.start()
    await until(() => runs().length === 1)
    server.restart()
    await untilKind(server, 'ready')
    expect(runs()).toHaveLength(2)
  })

  it('is ended at quit even if no start waits for it', async () => {
    const { install, runs } = supervisors.slowInstall(60_000)
    const installer = new PackageInstaller(2)
    const { server } = supervisors.open({ install, installMs: [500], installer })
    server.start()
    await untilKind(server, 'error')
    await until(() => runs().filter((pid) => isTreeAlive(pid)).length === 1)
    await installer.close()
    expect(runs().filter((pid) => isTreeAlive(pid))).toEqual([])
  })
})

describe('B9: downloads', () => {
  it("don't use slots of servers without one, and waiting for a slot costs no budget", async () => {
    const slots = pLimit(1)
    const installer = new PackageInstaller(1)
    const { install, runs } = supervisors.slowInstall(60_000)
    const first = supervisors.open({ install, slots, installer }).server
    const fetch = node('-e', 'console.log("fetched")')
    const waiting = supervisors.open({
      install: fetch,
      installMs: [6_000],
      slots,
      installer,
    }).server
    const free = supervisors.open({ slots, installer }).server
    for (const server of [first, waiting, free]) server.start()
    await untilKind(free, 'ready')
    await until(() => runs().length === 1)
    await until(() => waiting.phases.at(-1)?.isWaiting === true)
    await pause(7_000)
    expect(waiting.status).toEqual({ kind: 'starting', phase: 'install' })
    await first.stop()
    expect(runs().filter((pid) => isTreeAlive(pid))).toEqual([])
    await untilKind(waiting, 'ready')
    const installing = waiting.phases.find(({ phase }) => phase === 'install')
    expect(installing).toMatchObject({ outcome: 'done', isWaiting: false })
  })

  it('by a runner itself extend only the first handshake', async () => {
    const installer = new PackageInstaller(1)
    const { server } = supervisors.open({
      installer,
      installMs: [30_000],
      selfInstallKey: 'dnx one',
    })
    const budgets: (number | undefined)[] = []
    for (let round = 0; round < 2; round += 1) {
      server.start()
      await untilKind(server, 'ready')
      const shaken = server.phases.find(({ phase }) => phase === 'handshake')
      budgets.push(shaken?.budgetMs)
      expect(shaken?.note).toBe(round === 0 ? 'downloading' : undefined)
      await server.stop()
    }
    expect(budgets).toEqual([30_000, 10_000])
  })
})

describe("B9: a start that downloads into its runner's cache", () => {
  it('waits for another such start until that is Ready', async () => {
    const installer = new PackageInstaller(2)
    const copyOf = (name: string): CopyOfStart => ({
      place: { runner: 'npx', env: {}, entry: { runner: 'npx', packages: ['notes'] } },
      user: { installationId: name, name },
    })
    const turn = installer.enterCopy(copyOf('Other').place.entry)
    const open = (name: string): Server =>
      supervisors.open({ installer, copy: copyOf(name), selfInstallKey: name }).server
    const [first, second] = [open('First'), open('Second')] as const
    first.start()
    second.start()
    const waits = (server: Server): boolean =>
      server.phases.some(({ phase, isWaiting }) => phase === 'spawn' && isWaiting)
    await until(() => waits(first) && waits(second))
    expect(first.session ?? second.session).toBeUndefined()
    await first.stop()
    turn.end()
    await untilKind(second, 'ready')
    const third = supervisors.open({ installer, copy: copyOf('Third'), selfInstallKey: 'Third' })
    third.server.start()
    await untilKind(third.server, 'ready')
  })
})

describe('E15: a failed install', () => {
  it('is explained by its exit code, and by the network only with evidence', async () => {
    const code = `console.error("env: 'deno': No such file or directory"); process.exitCode = 127`
    const { server } = supervisors.open({ install: node('-e', code) })
    server.start()
    await untilKind(server, 'error')
    expect(server.status).toMatchObject({
      code: 'INSTALL_FAILED',
      hint: expect.not.stringContaining('network') as string,
      cause: { causeId: 'program-missing', isPermanent: true },
    })
  })
})
