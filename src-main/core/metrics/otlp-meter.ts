import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'

import type { Attributes, BatchObservableResult, Histogram, Meter } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'

import { withTimeLimit } from '../lifecycle/time-limit'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { ServerRecorder } from './server-recorder'

/** MCP's client requests. */
const METHODS: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'tools/call',
  'tools/list',
])

/** The exported name of a method: `_OTHER` for one unknown to MCP, which may contain anything. */
function methodName(method: string): string {
  return METHODS.has(method) ? method : '_OTHER'
}

/** Time limit of an export with its retries, in ms. */
const SEND_MS = 5_000
/** Time limit of the last export, in ms. */
const CLOSE_MS = 2_000
/** Shown characters of a collector's response. */
const MAX_MESSAGE = 200
/** Buckets of `mcp.client.operation.duration` in the semantic conventions, in s. */
const DURATION_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** A server's id and name for a collector. */
export type NamedServer = { readonly installationId: string; readonly name: string }

export type OtlpMeterOptions = {
  /** Base address of a collector. */
  readonly endpoint: string
  readonly version: string
  /** The counts of each server. */
  readonly servers: () => readonly (NamedServer & { readonly recorder: ServerRecorder })[]
  /** The proxy for an address, undefined for none. May reject. */
  readonly proxyTo?: ((address: URL) => Promise<string | undefined>) | undefined
  /** Export interval, in ms. */
  readonly everyMs: number
  /** Called after each export; a few words if it failed. */
  readonly onSent: (failure: string | undefined) => void
}

/** Exports metrics to one collector. */
export type OtlpMeter = {
  record(server: NamedServer, request: EndedRequest): void
  /** Exports the rest and closes the connection; settles within about 2 s. */
  close(): Promise<void>
}

/** Starts exporting metrics as OTLP over HTTP (OTLP 1.x, JSON): immediately, then every `everyMs`. `docs/metrics.md` names them. */
export function openOtlpMeter(options: OtlpMeterOptions): OtlpMeter {
  const { endpoint, version, everyMs, onSent } = options
  const agents = new Set<HttpAgent | HttpsAgent>()
  const exporter = new ReportingExporter(
    {
      url: metricsUrl(endpoint),
      timeoutMillis: SEND_MS,
      httpAgentOptions: async (protocol) => {
        const { Agent } = await (protocol === 'https:' ? import('node:https') : import('node:http'))
        const proxy = await options.proxyTo?.(new URL(endpoint))
        const proxyEnv = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }
        const agent = new Agent(proxy === undefined ? {} : { proxyEnv })
        agents.add(agent)
        return agent
      },
    },
    onSent,
  )
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'patchbay', 'service.version': version }),
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: everyMs })],
  })
  const meter = provider.getMeter('patchbay', version)
  const durations = meter.createHistogram('mcp.client.operation.duration', {
    unit: 's',
    description: 'Time of a request to an MCP server, from asking to the whole answer',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  })
  observeServers(meter, options.servers)
  // The SDK hides its failures; the exporter reports them.
  void provider.forceFlush().catch(() => undefined)
  return {
    record: (server, request) => record(durations, server, request),
    close: async () => {
      // Metrics not accepted by then are lost.
      await withTimeLimit(CLOSE_MS, () => provider.shutdown()).catch(() => undefined)
      exporter.end()
      for (const agent of agents) agent.destroy()
    },
  }
}

/** Reports the outcome of each export, which the SDK would only log, and can be stopped for good. */
class ReportingExporter extends OTLPMetricExporter {
  #hasEnded = false

  constructor(
    config: ConstructorParameters<typeof OTLPMetricExporter>[0],
    private readonly onSent: OtlpMeterOptions['onSent'],
  ) {
    super(config)
  }

  override export(...[metrics, done]: Parameters<OTLPMetricExporter['export']>): void {
    // The SDK starts a last export even after one was cut off.
    if (this.#hasEnded) {
      done({ code: ExportResultCode.FAILED })
      return
    }
    super.export(metrics, (result) => {
      if (!this.#hasEnded) this.onSent(result.error && reasonOf(result.error))
      done(result)
    })
  }

  end(): void {
    this.#hasEnded = true
  }
}

function reasonOf(error: Error & { readonly code?: unknown }): string {
  const code = ['string', 'number'].includes(typeof error.code) ? String(error.code) : ''
  const message = error.message.slice(0, MAX_MESSAGE)
  return [code, message].filter((part) => part !== '').join(' ') || error.name
}

/** The collector's metrics address (OTLP/HTTP request); an address that already names it stays. */
function metricsUrl(endpoint: string): string {
  const url = new URL(endpoint)
  const path = url.pathname.replace(/\/+$/u, '')
  if (!path.endsWith('/v1/metrics')) url.pathname = `${path}/v1/metrics`
  return url.href
}

function attributesOf({ installationId, name }: NamedServer): Attributes {
  return { 'patchbay.server.id': installationId, 'patchbay.server.name': name }
}

function record(durations: Histogram, server: NamedServer, request: EndedRequest): void {
  const { method, ms, failure } = request
  durations.record(ms / 1_000, {
    ...attributesOf(server),
    'mcp.method.name': methodName(method),
    ...(failure !== undefined && { 'error.type': failure }),
  })
}

function observeServers(meter: Meter, servers: OtlpMeterOptions['servers']): void {
  const counter = (name: string, unit: string): ReturnType<Meter['createObservableCounter']> =>
    meter.createObservableCounter(`patchbay.server.${name}`, { unit })
  const gauge = (name: string, unit: string): ReturnType<Meter['createObservableGauge']> =>
    meter.createObservableGauge(`patchbay.server.${name}`, { unit })
  const up = gauge('up', '1')
  const upTime = counter('uptime', 's')
  const starts = counter('starts', '{start}')
  const restarts = counter('restarts', '{restart}')
  const losses = counter('losses', '{loss}')
  const io = counter('io', 'By')
  const stderr = counter('stderr.lines', '{line}')
  const noise = counter('noise.lines', '{line}')
  const processes = gauge('processes', '{process}')
  const memory = gauge('memory.usage', 'By')
  const cpu = gauge('cpu.utilization', '1')
  const observe = (result: BatchObservableResult): void => {
    for (const { recorder, ...server } of servers()) {
      const attributes = attributesOf(server)
      const { totals, use, isUp } = recorder
      result.observe(up, isUp ? 1 : 0, attributes)
      result.observe(upTime, totals.upMs / 1_000, attributes)
      result.observe(starts, totals.starts, attributes)
      result.observe(restarts, totals.restarts, attributes)
      result.observe(losses, totals.losses, attributes)
      result.observe(io, totals.bytesIn, { ...attributes, 'network.io.direction': 'receive' })
      result.observe(io, totals.bytesOut, { ...attributes, 'network.io.direction': 'transmit' })
      result.observe(stderr, totals.stderrLines, attributes)
      result.observe(noise, totals.noiseLines, attributes)
      if (!use) continue
      result.observe(processes, use.processes, attributes)
      result.observe(memory, use.rssBytes, attributes)
      if (use.cpuPercent !== undefined) result.observe(cpu, use.cpuPercent / 100, attributes)
    }
  }
  const all = [up, upTime, starts, restarts, losses, io, stderr, noise, processes, memory, cpu]
  meter.addBatchObservableCallback(observe, all)
}
