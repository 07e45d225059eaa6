import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { fixtureServer } from '../../e2e/fixtures/fixture-server'
import { isTreeAlive } from '../../e2e/fixtures/is-tree-alive'
import { openHarness, openHarnessWith } from '../../e2e/fixtures/open-harness'
import { SyncScheduler } from '../core/catalog/sync-scheduler'
import { Gateway } from '../core/gateway/gateway'
import { DEFAULT_STOP_GRACE } from '../core/process/spawn/graceful-stop'

describe('B5: Ready', () => {
  it('means a finished handshake and a first list', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('plain.mjs'))
    const view = await harness.until(id, 'ready')
    expect(view.counts.tools).toBe(1)
    expect(view.phases.map(({ phase, outcome }) => [phase, outcome])).toEqual([
      ['resolve', 'done'],
      ['install', 'skipped'],
      ['spawn', 'done'],
      ['handshake', 'done'],
      ['discover', 'done'],
    ])
  })

  it('waits for a first list that fails twice', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('late-list.mjs'))
    expect((await harness.until(id, 'ready')).counts.tools).toBe(1)
    expect((await harness.log(id)).filter((line) => line.includes('not warm yet'))).toHaveLength(2)
  })
})

describe('B9: starts', () => {
  it('are not delayed by more hanging servers than there are slots', async () => {
    const harness = openHarness()
    await harness.call('settings.update', { spawnSlots: 1 })
    const hanging = [0, 1, 2].map((index) =>
      harness.install(fixtureServer('silent.mjs'), { name: `Silent ${String(index)}` }),
    )
    await Promise.all(hanging)
    const plain = await harness.install(fixtureServer('plain.mjs'))
    await harness.until(plain, 'ready')
    const { servers } = await harness.call('app.snapshot', {})
    const kinds = servers.map((server) => server.status.kind)
    expect(kinds).toEqual(['starting', 'starting', 'starting', 'ready'])
  })

  it('show a timeout with its phase and a hint', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const id = await harness.install(fixtureServer('silent.mjs'), {
      budgets: { handshakeMs: 4_000 },
    })
    const { status, phases } = await harness.until(id, 'error')
    expect(status).toMatchObject({
      code: 'PHASE_TIMEOUT',
      message: 'The server did not initialize within 4 s. Nothing arrived on stdout.',
      stderrTail: ['Waiting for nothing'],
    })
    expect(phases.at(-1)).toMatchObject({ phase: 'handshake', outcome: 'failed' })
  })
})

describe('B10: a failed start', () => {
  it('has ended its process before the status changes', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const id = await harness.install(fixtureServer('stubborn.mjs'), {
      budgets: { handshakeMs: 500 },
    })
    const starting = await harness.untilPid(id)
    await harness.until(id, 'error')
    expect(isTreeAlive(starting)).toBe(false)
  })

  it('shows the exit code and the last lines', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const id = await harness.install(fixtureServer('exits.mjs'))
    const { status } = await harness.until(id, 'error')
    expect(status).toMatchObject({
      code: 'SERVER_EXITED',
      message: 'The server exited with code 3 before it responded.',
      stderrTail: ['Missing the one thing it needs'],
    })
  })

  it('names a missing command', async () => {
    const harness = openHarness()
    const server = fixtureServer('plain.mjs') as { packages: { identifier: string }[] }
    Object.assign(server.packages[0] ?? {}, { identifier: 'no-such-command-here' })
    const id = await harness.install(server)
    const { status } = await harness.until(id, 'error')
    expect(status).toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message: 'no-such-command-here was not found on this computer.',
      hint: expect.stringContaining('Install no-such-command-here') as string,
    })
  })
})

describe('B1: stderr', () => {
  it("of 64 MB before the first answer doesn't prevent a start", async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('floods.mjs', { args: ['64'] }))
    await harness.until(id, 'ready')
    // Sequence numbers count every line, including dropped ones.
    await expect
      .poll(async () => (await harness.entries(id)).at(-1)?.seq)
      .toBeGreaterThanOrEqual(65_700)
  })
})

describe('B4: noise on stdout', () => {
  it('is logged and listed as a protocol warning, and the server stays Ready', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('noisy.mjs'))
    const view = await harness.until(id, 'ready')
    expect(view.protocolWarnings).toMatchObject([
      { message: expect.stringMatching(/^Text on stdout/u) as string, count: 2 },
    ])
    const entries = await harness.entries(id)
    const noise = entries.filter((entry) => entry.source === 'stdout').map((entry) => entry.text)
    expect(noise).toEqual(['Welcome to the noisy server', 'listening'])
  })
})

describe('B6: stop and quit', () => {
  it('leave no process of a server that started others', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('family.mjs'))
    const { pid } = await harness.until(id, 'ready')
    await harness.call('server.stop', { installationId: id })
    await harness.until(id, 'stopped')
    expect(isTreeAlive(pid ?? 0)).toBe(false)
  })

  it('end every server within 6 s, whatever it ignores', async () => {
    const { stdinMs, termMs, killMs } = DEFAULT_STOP_GRACE
    expect(stdinMs + termMs + killMs).toBeLessThanOrEqual(6_000)
    const harness = openHarness()
    const plain = await harness.install(fixtureServer('plain.mjs'))
    const stubborn = await harness.install(fixtureServer('stubborn.mjs'))
    const { pid } = await harness.until(plain, 'ready')
    const stubbornPid = await harness.untilPid(stubborn)
    await harness.patchbay.close()
    expect([pid ?? 0, stubbornPid].filter((one) => isTreeAlive(one))).toEqual([])
  })

  it('cancel a running start', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('silent.mjs'))
    const pid = await harness.untilPid(id)
    await harness.call('server.stop', { installationId: id })
    await harness.until(id, 'stopped')
    expect(isTreeAlive(pid)).toBe(false)
  })
})

describe('B7: the loss of a Ready server', () => {
  it('shows immediately with the signal, and a restart works', async () => {
    const harness = await openHarnessWith({ startsAgain: false })
    const id = await harness.install(fixtureServer('plain.mjs'))
    const { pid } = await harness.until(id, 'ready')
    process.kill(pid ?? 0, 'SIGKILL')
    const { status } = await harness.until(id, 'error')
    expect(status).toMatchObject({
      code: 'SERVER_KILLED',
      message: 'The server was ended by SIGKILL while in use.',
    })
    await harness.call('server.restart', { installationId: id })
    expect((await harness.until(id, 'ready')).pid).not.toBe(pid)
  })
})

describe('B6: a quit that fails halfway', () => {
  afterEach(() => vi.restoreAllMocks())

  it("stops the servers even if gateway and catalog can't be closed, and says so", async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('plain.mjs'))
    const { pid = 0 } = await harness.until(id, 'ready')
    const rejections: unknown[] = []
    const onRejection = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', onRejection)
    onTestFinished(() => void process.off('unhandledRejection', onRejection))
    const written: string[] = []
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    vi.spyOn(SyncScheduler.prototype, Symbol.asyncDispose).mockRejectedValueOnce(
      new Error('A hang'),
    )
    // Later than the catalog, whose failure is no longer awaited.
    vi.spyOn(Gateway.prototype, 'close').mockImplementationOnce(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      throw new Error('No port')
    })
    await harness.patchbay.close()
    expect([isTreeAlive(pid), rejections]).toEqual([false, []])
    expect(written).toEqual([
      'patchbay: closing catalog: A hang\n',
      'patchbay: closing gateway: No port\n',
    ])
  })
})
