import { describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import type { PhaseRecord } from '../../../src-shared/domain/running/run-status'
import { Emitter } from '../lifecycle/emitter'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { Counters } from './counted-server'
import { compileMetrics } from './metrics'
import { type Minute, MINUTE_MS, readMinute } from './minute'
import { ServerRecorder } from './server-recorder'

/** A server whose counters a test sets. */
function open(): {
  time: ManualClock
  counters: Counters
  server: { isUp: boolean; phases: PhaseRecord[] }
  end: (request: EndedRequest) => void
  recorder: ServerRecorder
  lines: string[]
} {
  const time = new ManualClock()
  // Beginning of a minute.
  time.set(MINUTE_MS - (time.now() % MINUTE_MS))
  const requests = new Emitter<EndedRequest>()
  const counters = {
    bytesIn: 0,
    bytesOut: 0,
    stderrLines: 0,
    noiseLines: 0,
    starts: 0,
    restarts: 0,
    losses: 0,
  }
  const server = { isUp: false, phases: [] as PhaseRecord[] }
  const lines: string[] = []
  const recorder = new ServerRecorder({
    server: {
      counters: () => ({ ...counters }),
      isUp: () => server.isUp,
      phases: () => server.phases,
      tree: () => undefined,
      onDidEndRequest: requests.event,
    },
    time,
    onLine: (_minute, line) => lines.push(line),
    onRequest: () => undefined,
  })
  return { time, counters, server, end: (one) => requests.emit(one), recorder, lines }
}

const upOf = (minutes: readonly Minute[]): number[] => minutes.map(({ upMs }) => upMs)

describe('B11: the uptime of a server', () => {
  it('is split at minutes, however late it is polled', () => {
    const { time, server, recorder } = open()
    time.pass(15_000)
    server.isUp = true
    recorder.poll()
    time.pass(45_020)
    recorder.poll()
    time.pass(70_000)
    server.isUp = false
    recorder.poll()
    time.pass(30_000)
    recorder.poll()
    expect(upOf(recorder.minutes())).toEqual([45_000, 60_000, 10_020])
    expect(recorder.totals.upMs).toBe(115_020)
  })

  it('never exceeds a minute per minute, even if the clock is set back', () => {
    const { time, server, recorder } = open()
    server.isUp = true
    recorder.poll()
    for (let looks = 0; looks < 6; looks += 1) {
      time.pass(30_000)
      recorder.poll()
    }
    time.set(-2 * MINUTE_MS)
    for (let looks = 0; looks < 6; looks += 1) {
      time.pass(30_000)
      recorder.poll()
    }
    const source = { installationId: '', name: '', use: undefined, now: time.now() }
    const { steps } = compileMetrics({ ...source, minutes: recorder.minutes() }, '1h')
    // Two of the six elapsed minutes came twice.
    expect(steps.map(({ upMs }) => upMs).filter((upMs) => upMs > 0)).toEqual(
      Array.from({ length: 4 }, () => MINUTE_MS),
    )
    expect(recorder.totals.upMs).toBe(6 * MINUTE_MS)
  })

  it("ignores a clock that is set ahead, and a sleep that the clock doesn't count", () => {
    const { time, server, recorder } = open()
    server.isUp = true
    recorder.poll()
    time.pass(10_000)
    time.set(3 * 3_600_000)
    recorder.poll()
    expect(upOf(recorder.minutes()).reduce((sum, one) => sum + one, 0)).toBe(10_000)
  })

  it('leaves the minutes of a long sleep empty if the clock counts it', () => {
    const { time, server, recorder } = open()
    server.isUp = true
    recorder.poll()
    time.pass(10_000)
    recorder.poll()
    time.sleep(8 * 3_600_000)
    recorder.poll()
    expect(recorder.minutes()).toHaveLength(2)
    expect(upOf(recorder.minutes())[0]).toBe(MINUTE_MS)
  })
})

describe("B11: a server's counts", () => {
  it('belong to the minute in which they occur', () => {
    const { time, counters, recorder } = open()
    Object.assign(counters, { bytesIn: 100, noiseLines: 5, starts: 1 })
    recorder.poll()
    time.pass(61_000)
    recorder.poll()
    Object.assign(counters, { bytesIn: 130, noiseLines: 7, losses: 1 })
    recorder.poll()
    expect(recorder.minutes()).toMatchObject([
      { bytesIn: 100, noiseLines: 5, starts: 1, losses: 0 },
      { bytesIn: 30, noiseLines: 2, starts: 0, losses: 1 },
    ])
    expect(recorder.totals).toMatchObject({ bytesIn: 130, noiseLines: 7, starts: 1, losses: 1 })
  })

  it('are written once when their minute ends, and not at all if empty', () => {
    const { time, end, lines, recorder } = open()
    time.pass(5 * MINUTE_MS)
    recorder.poll()
    expect(lines).toEqual([])
    end({ method: 'tools/call', ms: 12 })
    end({ method: 'tools/call', ms: 30_000, failure: 'REQUEST_TIMEOUT' })
    time.pass(MINUTE_MS)
    recorder.poll()
    recorder.poll()
    expect(lines).toHaveLength(1)
    expect(readMinute(lines[0] ?? '')).toMatchObject({
      requests: 2,
      errors: { REQUEST_TIMEOUT: 1 },
    })
    expect(lines[0]).not.toContain('tools/call')
  })

  it('are never written after their server was removed, even during a read', () => {
    const { time, end, recorder, lines } = open()
    end({ method: 'ping', ms: 1 })
    recorder[Symbol.dispose]()
    time.pass(2 * MINUTE_MS)
    recorder.poll()
    expect(lines).toEqual([])
  })

  it('are complete after an early write', () => {
    const { end, recorder, lines } = open()
    end({ method: 'ping', ms: 1 })
    recorder.flush()
    end({ method: 'ping', ms: 1 })
    recorder.flush()
    expect(recorder.minutes().reduce((sum, { requests }) => sum + requests, 0)).toBe(2)
    expect(lines.map((line) => readMinute(line)?.requests)).toEqual([1, 1])
  })
})

describe('B11: the phases of a start', () => {
  it('count once, however often they are polled', () => {
    const { server, recorder } = open()
    const record: PhaseRecord = { phase: 'install', startedAt: 0, budgetMs: 1, outcome: 'running' }
    server.phases = [record]
    recorder.poll()
    Object.assign(record, { outcome: 'done', endedAt: 200 })
    recorder.poll()
    recorder.poll()
    expect(recorder.minutes().flatMap(({ phases = [] }) => phases)).toEqual([['install', 200]])
  })

  it("don't count if failed or skipped", () => {
    const { server, recorder } = open()
    const at = { startedAt: 0, endedAt: 5, budgetMs: 1 }
    server.phases = [
      { phase: 'resolve', outcome: 'skipped', ...at },
      { phase: 'spawn', outcome: 'failed', ...at },
      { phase: 'handshake', outcome: 'cancelled', ...at },
      { phase: 'discover', outcome: 'done', ...at },
    ]
    recorder.poll()
    expect(recorder.minutes().flatMap(({ phases = [] }) => phases)).toEqual([['discover', 5]])
  })
})
