import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

import { Harness } from '../../e2e/fixtures/harness'
import type { BenchPart } from '../measure/bench'
import { median, medianRatio } from '../measure/median'
import { interleave } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { benchCommand, benchServer, SECRET_VALUES } from './bench-server'

const FLOOD_MB = 1_024
const MEGABYTE = 1024 * 1024
const ROUND_LIMIT_MS = 120_000
const POLL_MS = 5
const LAST_LINE = 'flood over'

const BARS = {
  heap: { metric: 'stderr-1gb-heap-growth-mb', unit: 'MB', op: '<=', bar: 32 },
  delay: { metric: 'stderr-1gb-loop-delay-p99-ms', unit: 'ms', op: '<=', bar: 50 },
  time: { metric: 'stderr-1gb-vs-cat', unit: 'x', op: '<=', bar: 3 },
} as const satisfies Record<string, Bar>

/** 1 GB of stderr through the core into the server's log and file, with a secret to mask, against `cat >/dev/null`. */
export const stderrFlood: BenchPart = async ({ rounds }) => {
  const growth: number[] = []
  const delays: number[] = []
  const ours = async (): Promise<number> => {
    const flood = await floodCore()
    growth.push(flood.growthMb)
    delays.push(flood.delayMs)
    return flood.ms
  }
  const times = await interleave({ ours, cat: floodCat }, { rounds, limitMs: ROUND_LIMIT_MS })
  // The first one warms up.
  const [heap, loop] = [growth.slice(1), delays.slice(1)]
  return [
    { row: toRow(BARS.heap, median(heap)), rounds: { ours: heap }, roundUnit: 'MB' },
    { row: toRow(BARS.delay, median(loop)), rounds: { ours: loop }, roundUnit: 'ms' },
    {
      row: toRow(BARS.time, medianRatio(times.ours, times.cat)),
      rounds: times,
      roundUnit: 'ms',
    },
  ]
}

type Flood = {
  readonly ms: number
  /** Growth of heap and buffers after garbage collection, while the log holds its lines. */
  readonly growthMb: number
  /** 99th percentile of the event loop's delay; an idle loop measures about 10 ms. */
  readonly delayMs: number
}

async function floodCore(): Promise<Flood> {
  const harness = new Harness()
  try {
    const id = await harness.install(benchServer('works', FLOOD_MB), { values: SECRET_VALUES })
    await harness.until(id, 'ready')
    // Like a window: each event becomes a message.
    harness.patchbay.onEvent((event) => JSON.stringify(event))
    const before = await heldBytes()
    const loop = monitorEventLoopDelay({ resolution: 10 })
    loop.enable()
    const begin = performance.now()
    const answered = harness.session(id).request('bench/flood', {}, { timeoutMs: ROUND_LIMIT_MS })
    await Promise.all([answered, untilLastLine(harness, id)])
    const ms = performance.now() - begin
    loop.disable()
    const growthMb = ((await heldBytes()) - before) / MEGABYTE
    await checkMasked(harness, id)
    return { ms, growthMb, delayMs: loop.percentile(99) / 1e6 }
  } finally {
    await harness.close()
  }
}

/** Bytes of heap and external buffers after garbage collection. */
async function heldBytes(): Promise<number> {
  globalThis.gc?.()
  // Collected buffers' memory is freed after the collection.
  await delay(POLL_MS)
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function untilLastLine(harness: Harness, installationId: string): Promise<void> {
  const deadline = performance.now() + ROUND_LIMIT_MS
  while (performance.now() < deadline) {
    const query = { servers: [installationId] }
    const { rows } = await harness.call('log.rows', { query, from: -1, count: 1 })
    if (rows[0]?.entry.text === LAST_LINE) return
    await delay(POLL_MS)
  }
  throw new Error('The last line of the flood never came.')
}

/** Being fast without masking must not win. */
async function checkMasked(harness: Harness, installationId: string): Promise<void> {
  const lines = await harness.log(installationId)
  const held = lines.join('\n')
  if (held.includes(SECRET_VALUES.env_BENCH_SECRET)) throw new Error('A secret stands in the log.')
  if (!/uses the token •+ of/u.test(held)) throw new Error('The log lacks the lines of the flood.')
}

/** The same flood into `cat`, through a shell pipe. */
async function floodCat(): Promise<number> {
  const { command, args } = benchCommand('works', FLOOD_MB)
  const quoted = [command, ...args].map((part) => `'${part}'`).join(' ')
  const shell = spawn('sh', ['-c', `exec 3>&1; ${quoted} 2>&1 >&3 | cat >/dev/null`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(shell, 'exit')
  const lines = shell.stdout.setEncoding('utf8')
  try {
    // One answer first, so that the program's start isn't measured.
    shell.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    await once(lines, 'data')
    const begin = performance.now()
    shell.stdin.write('{"jsonrpc":"2.0","id":2,"method":"bench/flood"}\n')
    await once(lines, 'data')
    return performance.now() - begin
  } finally {
    shell.stdin.end()
    await exited
  }
}
