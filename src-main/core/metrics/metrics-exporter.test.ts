import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { OtlpCollector } from '../../../e2e/fixtures/otlp-collector'
import { pause } from '../../../e2e/fixtures/pause'
import { Emitter } from '../lifecycle/emitter'
import type { EndedRequest } from '../mcp/peer/request-failure'
import { MetricsExporter } from './metrics-exporter'
import { ServerRecorder } from './server-recorder'

const SERVER = { installationId: '8f14e45f-ceea-467f-9575-a1b2c3d4e5f6', name: 'Ada’s papers' }

let collector: OtlpCollector
const outlets: MetricsExporter[] = []
beforeEach(async () => {
  collector = await OtlpCollector.open()
})
afterEach(async () => {
  await Promise.all(outlets.splice(0).map((one) => one.close()))
  await collector[Symbol.asyncDispose]()
})

/** An exporter for one running server with its own counters. */
function open(everyMs = 100): {
  outlet: MetricsExporter
  troubles: (string | undefined)[]
  record: (request: EndedRequest) => void
} {
  const recorder = new ServerRecorder({
    server: {
      counters: () => ({
        bytesIn: 1_000,
        bytesOut: 200,
        stderrLines: 5,
        noiseLines: 2,
        starts: 3,
        restarts: 2,
        losses: 1,
      }),
      isUp: () => true,
      phases: () => [],
      tree: () => undefined,
      onDidEndRequest: new Emitter<EndedRequest>().event,
    },
    time: new ManualClock(),
    onLine: () => undefined,
    onRequest: () => undefined,
  })
  const troubles: (string | undefined)[] = []
  const outlet = new MetricsExporter({
    version: '1.2.3',
    servers: () => [{ ...SERVER, recorder }],
    onProblem: (message) => troubles.push(message),
    everyMs,
  })
  outlets.push(outlet)
  return { outlet, troubles, record: (request) => outlet.record(SERVER, request) }
}

const arrived = (count: number, at = collector): Promise<void> =>
  expect.poll(() => at.bodies.length).toBeGreaterThanOrEqual(count)

describe('B11: metrics for a collector', () => {
  it('arrive immediately and periodically, under the documented names', async () => {
    const { outlet, record, troubles } = open()
    outlet.moveTo(collector.endpoint)
    await arrived(1)
    record({ method: 'tools/call', ms: 250 })
    record({ method: 'tools/call', ms: 750, failure: 'REQUEST_TIMEOUT' })
    await expect.poll(() => collector.points('mcp.client.operation.duration').length).toBe(2)
    const attributes = {
      'patchbay.server.id': SERVER.installationId,
      'patchbay.server.name': SERVER.name,
    }
    expect(collector.points('mcp.client.operation.duration')).toEqual([
      expect.objectContaining({
        count: 1,
        sum: 0.25,
        attributes: { ...attributes, 'mcp.method.name': 'tools/call' },
      }),
      expect.objectContaining({
        count: 1,
        sum: 0.75,
        attributes: {
          ...attributes,
          'mcp.method.name': 'tools/call',
          'error.type': 'REQUEST_TIMEOUT',
        },
      }),
    ])
    const value = (name: string): (number | undefined)[] =>
      collector.points(name).map(({ asDouble, asInt }) => asInt ?? asDouble)
    expect(value('patchbay.server.up')).toEqual([1])
    expect(value('patchbay.server.starts')).toEqual([3])
    expect(value('patchbay.server.restarts')).toEqual([2])
    expect(value('patchbay.server.losses')).toEqual([1])
    expect(value('patchbay.server.io')).toEqual([1_000, 200])
    expect(value('patchbay.server.stderr.lines')).toEqual([5])
    expect(value('patchbay.server.noise.lines')).toEqual([2])
    expect(collector.units()).toMatchObject({
      'mcp.client.operation.duration': 's',
      'patchbay.server.uptime': 's',
      'patchbay.server.io': 'By',
    })
    expect(new Set(collector.paths)).toEqual(new Set(['/v1/metrics']))
    expect(collector.bodies[0]).toContain('"service.name","value":{"stringValue":"patchbay"}')
    expect(troubles).toEqual([])
  })

  it('contain only method names of the protocol', async () => {
    const { outlet, record } = open()
    outlet.moveTo(collector.endpoint)
    await arrived(1)
    record({ method: 'private/tr0ub4dor', ms: 1 })
    await expect.poll(() => collector.points('mcp.client.operation.duration').length).toBe(1)
    const [point] = collector.points('mcp.client.operation.duration')
    expect(point?.attributes['mcp.method.name']).toBe('_OTHER')
    expect(collector.bodies.join('')).not.toContain('tr0ub4dor')
  })

  it.each([
    ['/', '/v1/metrics'],
    ['/otlp/', '/otlp/v1/metrics'],
    ['/otlp/v1/metrics', '/otlp/v1/metrics'],
  ])('are sent to the right path below %s', async (path, asked) => {
    const { outlet } = open()
    outlet.moveTo(`${collector.endpoint}${path}`)
    await arrived(1)
    expect(collector.paths[0]).toBe(asked)
  })

  it('are sent to a changed address, and nowhere without one', async () => {
    await using other = await OtlpCollector.open()
    const { outlet } = open()
    outlet.moveTo(collector.endpoint)
    await arrived(1)
    outlet.moveTo(other.endpoint)
    await arrived(2, other)
    const atOld = collector.bodies.length
    await arrived(4, other)
    expect(collector.bodies.length).toBe(atOld)
    outlet.moveTo('')
    await outlet.close()
    const atNew = other.bodies.length
    await pause(500)
    expect(other.bodies.length).toBe(atNew)
    expect([await collector.connections(), await other.connections()]).toEqual([0, 0])
  })

  it('are sent to their address after several changes in quick succession', async () => {
    await using other = await OtlpCollector.open()
    const { outlet } = open()
    for (const endpoint of [collector.endpoint, '', collector.endpoint, other.endpoint])
      outlet.moveTo(endpoint)
    await arrived(3, other)
    expect(collector.bodies).toEqual([])
  })

  it('are sent a last time on close', async () => {
    const { outlet, record } = open(3_600_000)
    outlet.moveTo(collector.endpoint)
    await arrived(1)
    record({ method: 'ping', ms: 5 })
    expect(collector.points('mcp.client.operation.duration')).toEqual([])
    await outlet.close()
    expect(collector.points('mcp.client.operation.duration')).toHaveLength(1)
  })
})

describe('B11: a failing collector', () => {
  it('is reported once, and gets everything once it works', async () => {
    const { port, endpoint } = collector
    await collector[Symbol.asyncDispose]()
    const { outlet, troubles, record } = open()
    outlet.moveTo(endpoint)
    await expect.poll(() => troubles.length).toBe(1)
    expect(troubles[0]).toContain(`127.0.0.1:${String(port)} rejected the metrics (ECONNREFUSED`)
    record({ method: 'ping', ms: 5 })
    await using back = await OtlpCollector.open(port)
    await expect.poll(() => back.points('mcp.client.operation.duration').length).toBe(1)
    await expect.poll(() => troubles.slice(1)).toEqual([undefined])
    back.status = 500
    await expect.poll(() => troubles.length).toBe(3)
    await outlet.close()
    collector = await OtlpCollector.open()
  })

  it('is no longer reported after its address changed or was removed', async () => {
    collector.status = 404
    await using other = await OtlpCollector.open()
    const { outlet, troubles } = open()
    outlet.moveTo(collector.endpoint)
    await expect.poll(() => troubles.length).toBe(1)
    outlet.moveTo(other.endpoint)
    expect(troubles.slice(1)).toEqual([undefined])
    outlet.moveTo(collector.endpoint)
    await expect.poll(() => troubles.length).toBe(3)
    outlet.moveTo('')
    expect(troubles.slice(3)).toEqual([undefined])
  })

  it('is reported with its response', async () => {
    collector.status = 404
    const { outlet, troubles } = open()
    outlet.moveTo(collector.endpoint)
    await expect.poll(() => troubles.length).toBe(1)
    expect(troubles[0]).toContain('(404 Not Found)')
    await arrived(3)
    expect(troubles).toHaveLength(1)
  })

  it.each([
    ['never answers', 0],
    ['never comes to an end', 'trickle'],
  ] as const)("doesn't delay the close for long if it %s", async (_what, status) => {
    collector.status = status
    const { outlet, troubles } = open(3_600_000)
    outlet.moveTo(collector.endpoint)
    await arrived(1)
    await outlet.close()
    await expect.poll(() => collector.connections()).toBe(0)
    expect(troubles).toEqual([])
  })
})
