import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { beforeEach, describe, expect, it } from 'vitest'

import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import type { Harness } from '../../../e2e/fixtures/harness'
import { openHarness } from '../../../e2e/fixtures/open-harness'
import { OtlpCollector } from '../../../e2e/fixtures/otlp-collector'
import { pause } from '../../../e2e/fixtures/pause'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { ServerMetrics } from '../../../src-shared/domain/running/metrics'

/** Requests of a start: the handshake and one list. */
const STARTED = 2

let profileDir = ''
beforeEach(() => (profileDir = tempFolder('profile')))

const read = (harness: Harness, installationId: string): Promise<ServerMetrics> =>
  harness.call('metrics.read', { installationId, range: '1h' })

const call = (harness: Harness, id: string, name: string, timeoutMs?: number): Promise<unknown> =>
  harness.session(id).request('tools/call', { name, arguments: {} }, { timeoutMs })

describe('B11: metrics of a running server', () => {
  it('count its requests with durations, and failures by code', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('works.mjs'))
    await harness.until(id, 'ready')
    const slow = { name: 'slow', arguments: { ms: 300 } }
    for (let asked = 0; asked < 3; asked += 1) await harness.session(id).request('tools/call', slow)
    await expect(call(harness, id, 'fail')).rejects.toThrow()
    await expect(call(harness, id, 'slow', 200)).rejects.toThrow()
    const { totals, steps } = await read(harness, id)
    expect(totals).toMatchObject({
      requests: STARTED + 5,
      errors: 2,
      starts: 1,
      restarts: 0,
      losses: 0,
    })
    expect(totals.errorsByCode).toEqual([
      { code: '-32002', count: 1 },
      { code: 'REQUEST_TIMEOUT', count: 1 },
    ])
    expect(totals.latency?.p50).toBeGreaterThan(150)
    expect(steps.reduce((sum, step) => sum + step.requests, 0)).toBe(STARTED + 5)
  })

  it('count its bytes, log lines and start phases', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('plain.mjs'))
    const noisy = await harness.install(fixtureServer('noisy.mjs'))
    await Promise.all([harness.until(id, 'ready'), harness.until(noisy, 'ready')])
    await expect.poll(async () => (await read(harness, id)).totals.stderrLines).toBe(3)
    await expect.poll(async () => (await read(harness, noisy)).totals.noiseLines).toBe(2)
    const { totals, phases } = await read(harness, id)
    expect(totals.bytesIn).toBeGreaterThan(100)
    expect(totals.bytesOut).toBeGreaterThan(100)
    const steps = phases.map(({ phase, count }) => [phase, count])
    expect(steps).toEqual(['resolve', 'spawn', 'handshake', 'discover'].map((one) => [one, 1]))
  })

  it('count its uptime, and none while stopped', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('plain.mjs'))
    await harness.until(id, 'ready')
    await expect.poll(async () => (await read(harness, id)).totals.upMs).toBeGreaterThan(300)
    await harness.call('server.stop', { installationId: id })
    await harness.until(id, 'stopped')
    const { upMs } = (await read(harness, id)).totals
    await pause(300)
    const later = await read(harness, id)
    expect([later.totals.upMs, later.now]).toEqual([upMs, undefined])
  })

  it('count a loss and the automatic restart', async () => {
    const harness = openHarness()
    await harness.call('settings.update', { firstWaitMs: 100, longestWaitMs: 100 })
    const id = await harness.install(fixtureServer('dies-in-call.mjs'))
    await harness.until(id, 'ready')
    await expect(call(harness, id, 'die')).rejects.toThrow()
    await expect
      .poll(async () => (await read(harness, id)).totals)
      .toMatchObject({ starts: 2, restarts: 1, losses: 1, errors: 1 })
  })

  it.skipIf(process.platform === 'win32')('measure its whole process tree', async () => {
    const harness = openHarness()
    const id = await harness.install(fixtureServer('busy.mjs'))
    await harness.until(id, 'ready')
    const now = async () => (await read(harness, id)).now
    // Since the previous measurement; on a busy machine the process gets less than the one core it wants.
    await expect
      .poll(async () => (await now())?.cpuPercent, { interval: 1_000, timeout: 60_000 })
      .toBeGreaterThan(10)
    const { processes, rssBytes, cpuPercent } = (await now()) ?? {}
    expect([processes, Number(rssBytes) > 100 * 1024 * 1024]).toEqual([2, true])
    expect(cpuPercent).toBeLessThan(250)
    const { steps } = await read(harness, id)
    const measured = steps.filter(({ cpuPercent }) => cpuPercent !== undefined)
    expect(measured.length).toBeGreaterThan(0)
  })
})

describe('B11: metrics across runs', () => {
  it('are kept for the next run, without torn lines', async () => {
    const harness = openHarness(undefined, { profileDir })
    const id = await harness.install(fixtureServer('plain.mjs'))
    await harness.until(id, 'ready')
    await call(harness, id, 'echo')
    const { memory } = harness
    await harness.patchbay.close()
    const [file = ''] = readdirSync(join(profileDir, 'figures', id))
    appendFileSync(join(profileDir, 'figures', id, file), '{"minute":')

    const again = openHarness(memory, { profileDir })
    await again.until(id, 'ready')
    await call(again, id, 'echo')
    const { totals, phases } = await read(again, id)
    expect(totals).toMatchObject({ requests: 2 * STARTED + 2, starts: 2, restarts: 0 })
    expect(phases.find(({ phase }) => phase === 'handshake')?.count).toBe(2)
    expect(JSON.parse(await again.call('metrics.export', {}))).toMatchObject({ droppedLines: 1 })
  })

  it('are deleted with their server', async () => {
    const harness = openHarness(undefined, { profileDir })
    const id = await harness.install(fixtureServer('plain.mjs'))
    await harness.until(id, 'ready')
    const { memory } = harness
    await harness.patchbay.close()
    const folder = join(profileDir, 'figures', id)
    expect(existsSync(folder)).toBe(true)

    const again = openHarness(memory, { profileDir })
    await again.until(id, 'ready')
    await again.call('installation.remove', { installationId: id, deleteSecrets: true })
    expect(existsSync(folder)).toBe(false)
    await expect(read(again, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await again.patchbay.close()
    expect(existsSync(folder)).toBe(false)
  })

  it("stay in memory if the disk can't be written, which is reported", async () => {
    const metrics = join(profileDir, 'figures')
    writeFileSync(metrics, 'a file where a folder belongs')
    const harness = openHarness(undefined, { profileDir })
    const id = await harness.install(fixtureServer('plain.mjs'))
    await harness.until(id, 'ready')
    await call(harness, id, 'echo')
    expect((await read(harness, id)).totals.requests).toBe(STARTED + 1)
    await harness.patchbay.close()
    const { notices } = await harness.call('app.snapshot', {})
    expect(notices.map(({ noticeId }) => noticeId)).toEqual(['figures-files'])
    expect(readFileSync(metrics, 'utf8')).toBe('a file where a folder belongs')
  })

  it('of past days are deleted at the start', async () => {
    const old = join(profileDir, 'figures', 'one')
    mkdirSync(old, { recursive: true })
    writeFileSync(join(old, '2026-01-01.jsonl'), '')
    openHarness(undefined, { profileDir })
    await expect.poll(() => existsSync(old)).toBe(false)
  })
})

describe('B11: metrics for a collector', () => {
  it('are sent while an address is set, with name and id only', async () => {
    await using collector = await OtlpCollector.open()
    const harness = openHarness()
    const id = await harness.install(fixtureServer('plain.mjs', { args: ['--key=tr0ub4dor'] }), {
      name: 'Ada’s papers',
    })
    await harness.until(id, 'ready')
    await harness.call('settings.update', { otlpEndpoint: collector.endpoint })
    await expect.poll(() => collector.points('patchbay.server.up').length).toBe(1)
    expect(collector.points('patchbay.server.up')[0]?.attributes).toEqual({
      'patchbay.server.id': id,
      'patchbay.server.name': 'Ada’s papers',
    })
    await call(harness, id, 'echo')
    await harness.call('settings.update', { otlpEndpoint: '' })
    await expect
      .poll(() => collector.points('mcp.client.operation.duration').map(({ count }) => count))
      .toEqual([1])
    await expect.poll(() => collector.connections()).toBe(0)
    await call(harness, id, 'echo')
    const sent = collector.bodies.length
    await harness.patchbay.close()
    expect(collector.bodies.length).toBe(sent)
    for (const hidden of ['tr0ub4dor', 'plain.mjs', 'echo'])
      expect(collector.bodies.join('')).not.toContain(hidden)
  })

  it('cause a notice if it is unreachable, and affect nothing else', async () => {
    const gone = await OtlpCollector.open()
    await gone[Symbol.asyncDispose]()
    const harness = openHarness()
    const id = await harness.install(fixtureServer('plain.mjs'))
    await harness.call('settings.update', { otlpEndpoint: gone.endpoint })
    await harness.until(id, 'ready')
    await expect
      .poll(async () =>
        (await harness.call('app.snapshot', {})).notices.map(({ noticeId }) => noticeId),
      )
      .toEqual(['figures-collector'])
    await call(harness, id, 'echo')
    expect((await read(harness, id)).totals.requests).toBe(STARTED + 1)
    await harness.call('settings.update', { otlpEndpoint: '' })
    expect((await harness.call('app.snapshot', {})).notices).toEqual([])
  })
})

describe('B11: exported metrics', () => {
  it("contain all servers by the user's names, and nothing about how they run", async () => {
    const harness = openHarness()
    const secret = 'tr0ub4dor-and-3'
    const first = await harness.install(
      fixtureServer('plain.mjs', {
        args: ['--folder=/home/ada/taxes'],
        environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
      }),
      { name: 'Ada’s papers', values: { env_API_KEY: secret } },
    )
    await harness.install(fixtureServer('works.mjs'), { name: 'Works' })
    await harness.until(first, 'ready')
    await harness
      .session(first)
      .request('tools/call', { name: 'echo', arguments: { text: 'private words' } })
    const text = await harness.call('metrics.export', {})
    const { exportedAt, servers, ...head } = JSON.parse(text) as Record<string, unknown>
    expect(head).toEqual({
      format: 'patchbay-figures',
      formatVersion: 1,
      app: { name: 'Patchbay', version: '0' },
      droppedLines: 0,
    })
    expect(Date.parse(String(exportedAt))).toBeLessThanOrEqual(Date.now())
    const all = ServerMetrics.array().parse(servers)
    expect(all.map(({ name }) => name)).toEqual(['Ada’s papers', 'Works'])
    expect(all[0]).toMatchObject({ installationId: first, totals: { requests: STARTED + 1 } })
    for (const hidden of [secret, 'taxes', 'private words', 'plain.mjs', 'tools/call'])
      expect(text).not.toContain(hidden)
  })
})
